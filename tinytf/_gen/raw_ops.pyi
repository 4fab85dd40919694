"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from tinytf._gen.raw_array_ops import *
from tinytf._gen.raw_audio_ops import *
from tinytf._gen.raw_control_flow_ops import *
from tinytf._gen.raw_data_ops import *
from tinytf._gen.raw_data_flow_ops import *
from tinytf._gen.raw_functional_ops import *
from tinytf._gen.raw_image_ops import *
from tinytf._gen.raw_io_ops import *
from tinytf._gen.raw_linalg_ops import *
from tinytf._gen.raw_logging_ops import *
from tinytf._gen.raw_math_ops import *
from tinytf._gen.raw_nn_ops import *
from tinytf._gen.raw_parsing_ops import *
from tinytf._gen.raw_random_ops import *
from tinytf._gen.raw_rnn_ops import *
from tinytf._gen.raw_script_ops import *
from tinytf._gen.raw_sparse_ops import *
from tinytf._gen.raw_state_ops import *
from tinytf._gen.raw_string_ops import *
from tinytf._gen.raw_summary_ops import *
from tinytf._gen.raw_training_ops import *
