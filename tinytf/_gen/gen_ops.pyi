"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from tinytf._gen.array_ops import *
from tinytf._gen.audio_ops import *
from tinytf._gen.control_flow_ops import *
from tinytf._gen.data_ops import *
from tinytf._gen.data_flow_ops import *
from tinytf._gen.functional_ops import *
from tinytf._gen.image_ops import *
from tinytf._gen.io_ops import *
from tinytf._gen.linalg_ops import *
from tinytf._gen.logging_ops import *
from tinytf._gen.math_ops import *
from tinytf._gen.nn_ops import *
from tinytf._gen.parsing_ops import *
from tinytf._gen.random_ops import *
from tinytf._gen.rnn_ops import *
from tinytf._gen.script_ops import *
from tinytf._gen.sparse_ops import *
from tinytf._gen.state_ops import *
from tinytf._gen.string_ops import *
from tinytf._gen.summary_ops import *
from tinytf._gen.training_ops import *
