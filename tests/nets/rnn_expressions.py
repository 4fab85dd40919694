"""Attributes and error messages of RNN cells and networks, as expressions and their values as text. `python
rnn_expressions.py`, run by an interpreter with TensorFlow 1.15, records its values.
"""

import inspect
import json
from importlib import import_module
from pathlib import Path

import numpy as np

RECORDED = Path(__file__).with_name("rnn_texts_of_1_15.json")

EXPRESSIONS = """
cells.BasicRNNCell(3).name
cells.BasicLSTMCell(3).name, cells.BasicLSTMCell(3).name, cells.LSTMCell(3, name="mine").name
cells.GRUCell(3).dtype, cells.GRUCell(3, dtype=tf.float64).dtype, cells.GRUCell(3, dtype="half").dtype
called(cells.GRUCell(3)).dtype
cells.GRUCell(3).scope_name
called(cells.GRUCell(3)).scope_name
called(cells.GRUCell(3, name="g"), scope="given").scope_name
cells.GRUCell(3).built, called(cells.GRUCell(3)).built
names(called(cells.BasicRNNCell(3)).variables)
names(called(cells.GRUCell(3)).variables)
names(called(cells.BasicLSTMCell(3)).variables)
names(called(cells.LSTMCell(3, use_peepholes=True, num_proj=2)).weights)
names(called(cells.LSTMCell(3, trainable=False)).trainable_weights)
names(called(cells.LSTMCell(3, trainable=False)).non_trainable_weights)
names(called(cells.MultiRNNCell([cells.GRUCell(3), cells.LSTMCell(2)])).weights)
names(called(cells.MultiRNNCell([cells.GRUCell(3), cells.GRUCell(2, trainable=False)])).trainable_weights)
names(called(cells.MultiRNNCell([cells.GRUCell(3), cells.GRUCell(2, trainable=False)])).non_trainable_variables)
names(called(cells.DropoutWrapper(cells.GRUCell(3))).variables)
names(called(Own()).variables), names(called(Own(trainable=False)).trainable_variables)
names(called(OwnWeights()).weights)
names(called(OwnWeights()).trainable_weights)
[v.shape for v in called(cells.LSTMCell(3, num_proj=2)).weights]
called(cells.LSTMCell(3, num_proj=2)).count_params()
cells.LSTMCell(3).count_params()
names(tf.trainable_variables(), called(cells.LSTMCell(4, num_unit_shards=2)))
len(called(cells.LSTMCell(4, num_unit_shards=2)).trainable_weights)
cells.BasicRNNCell(3).state_size, cells.BasicRNNCell(3).output_size
cells.GRUCell(3).state_size, cells.GRUCell(3).output_size
cells.BasicLSTMCell(3).state_size, cells.BasicLSTMCell(3).output_size
cells.BasicLSTMCell(3, state_is_tuple=False).state_size
cells.LSTMCell(3, num_proj=2).state_size, cells.LSTMCell(3, num_proj=2).output_size
cells.LSTMCell(3, num_proj=2, state_is_tuple=False).state_size
cells.MultiRNNCell([cells.GRUCell(3), cells.LSTMCell(2)]).state_size
cells.MultiRNNCell([cells.GRUCell(3), cells.GRUCell(2)], state_is_tuple=False).state_size
cells.MultiRNNCell((cells.GRUCell(3), cells.GRUCell(2))).output_size
cells.DropoutWrapper(cells.GRUCell(3)).state_size, cells.ResidualWrapper(cells.GRUCell(3)).output_size
cells.RNNCell().state_size
cells.RNNCell().output_size
cells.LSTMStateTuple(1, 2)
cells.LSTMStateTuple(tf.zeros([2]), tf.ones([2])).dtype
cells.LSTMStateTuple(tf.zeros([2]), tf.ones([2], tf.int32)).dtype
cells.GRUCell(3).zero_state(2, tf.float32)
cells.GRUCell(3).zero_state(tf.placeholder(tf.int32, []), tf.float32)
cells.GRUCell(3).zero_state(tf.placeholder(tf.int32, [1]), tf.float32)
cells.GRUCell(3).zero_state(tf.placeholder(tf.int32, [1, 1]), tf.float32)
cells.GRUCell(3).zero_state(tf.constant(2), tf.float64)
cells.GRUCell(3).zero_state(None, tf.float32)
cells.GRUCell(3).zero_state([2, 3], tf.float32)
cells.GRUCell(3).zero_state(tf.Dimension(2), "float32")
cells.GRUCell(3).zero_state(2, tf.int32)
cells.GRUCell(3).zero_state("a", tf.float32)
cells.GRUCell(3).zero_state(np.int64(2), tf.float32)
cells.BasicLSTMCell(3).zero_state(2, tf.float32)
cells.MultiRNNCell([cells.GRUCell(3), cells.LSTMCell(2)]).zero_state(2, tf.float32)
cells.GRUCell(3).get_initial_state(x)
cells.GRUCell(3).get_initial_state(inputs=tf.placeholder(tf.float64, [None, 2]))
cells.GRUCell(3).get_initial_state(inputs=x, batch_size=3)
cells.GRUCell(3).get_initial_state(inputs=x, batch_size=tf.constant(3))
cells.GRUCell(3).get_initial_state(inputs=x, dtype=tf.float64)
cells.GRUCell(3).get_initial_state(batch_size=3)
cells.GRUCell(3).get_initial_state(dtype=tf.float32)
cells.GRUCell(3, dtype=tf.int32)
cells.BasicLSTMCell(3, dtype=tf.bool)
cells.LSTMCell(3, dtype="int64")
called(cells.GRUCell(3), dtype=tf.int32)
cells.GRUCell(3)(x, tf.zeros([2, 3], tf.int32))
cells.GRUCell(3)(x, tf.zeros([2, 2]))
cells.GRUCell(3)(x, tf.zeros([5, 3]))
cells.GRUCell(3)(tf.placeholder(tf.float32, [2, None]), tf.zeros([2, 3]))
cells.GRUCell(3)(tf.placeholder(tf.float32, [2, 3, 4]), tf.zeros([2, 3]))
cells.GRUCell(3)(tf.placeholder(tf.float32), tf.zeros([2, 3]))
cells.GRUCell(3)([x, x], tf.zeros([2, 3]))
cells.LSTMCell(3)(x, (tf.zeros([2, 3]), tf.zeros([2, 3])))
cells.LSTMCell(3)(x, (tf.zeros([2, 3]),))
cells.GRUCell(3).build([2, None])
names(built(cells.GRUCell(3), [None, 4]).variables)
names(built(cells.LSTMCell(3), tf.TensorShape([2, 4])).variables)
cells.GRUCell(3, foo=1)
cells.GRUCell(3, activation="foo")
cells.GRUCell(3, activation=3)
cells.GRUCell(3, kernel_initializer=3)
cells.GRUCell(3, kernel_initializer="foo")
cells.GRUCell(3, reuse=True)(x, tf.zeros([2, 3]))
twice(lambda: cells.GRUCell(3), "a", reuse=True)
twice(lambda: cells.GRUCell(3, name="g"), "a")
twice(lambda: cells.GRUCell(3, name="g", reuse=tf.AUTO_REUSE), "a")
twice(lambda: cells.GRUCell(3, name="g"), "a", reuse=tf.AUTO_REUSE)
twice(Own, "a")
twice(Own, "a", reuse=tf.AUTO_REUSE)
ReturnsNone()(x, x)
cells.MultiRNNCell([])
cells.MultiRNNCell(3)
cells.MultiRNNCell([cells.LSTMCell(3)], state_is_tuple=False)
cells.MultiRNNCell([cells.GRUCell(3)])(x, tf.zeros([2, 3]))
names(called(cells.MultiRNNCell([cells.GRUCell(4)] * 2)).weights)
cells.DropoutWrapper(3)
cells.DropoutWrapper(cells.GRUCell(3), 1.5)
cells.DropoutWrapper(cells.GRUCell(3), output_keep_prob=-0.5)
cells.DropoutWrapper(cells.GRUCell(3), variational_recurrent=True)
cells.DropoutWrapper(cells.GRUCell(3), 0.5, variational_recurrent=True, dtype=tf.float32)
cells.DropoutWrapper(cells.GRUCell(3), dropout_state_filter_visitor=3)
cells.DropoutWrapper(cells.GRUCell(3), 0.5).wrapped_cell.state_size
called(cells.DropoutWrapper(cells.GRUCell(3), 0.0))
called(cells.DropoutWrapper(cells.LSTMCell(3), state_keep_prob=0.5, dropout_state_filter_visitor=lambda s: 3))
cells.ResidualWrapper(cells.GRUCell(3))(x, tf.zeros([2, 3]))
cells.ResidualWrapper(3)
called(cells.DeviceWrapper(cells.GRUCell(3), "/cpu:0")).variables
[c._gen_seed("input", 0) for c in [cells.DropoutWrapper(cells.GRUCell(3), seed=s) for s in (1, None, 0)]]
tf.nn.dynamic_rnn(1, seq, dtype=tf.float32)
tf.nn.dynamic_rnn(Half(), seq, dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), seq)
tf.nn.dynamic_rnn(cells.GRUCell(3), x, dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), x[0], dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), tf.placeholder(tf.float32), dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), tf.placeholder(tf.float32, [2, 3, None]), dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, sequence_length=3, dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, sequence_length=[[1, 2]], dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, sequence_length=[1.7, 2.2], dtype=tf.float32)
run(tf.nn.dynamic_rnn(cells.GRUCell(3), seq, sequence_length=[1, 2, 3], dtype=tf.float32))
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, sequence_length=["a", "b"], dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, initial_state=tf.zeros([2, 4]))
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, initial_state=tf.zeros([3, 3]))
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, initial_state=(tf.zeros([2, 3]),))
tf.nn.dynamic_rnn(cells.LSTMCell(3), seq, initial_state=(tf.zeros([2, 3]), tf.zeros([2, 3])))
tf.nn.dynamic_rnn(cells.LSTMCell(3), seq, initial_state=(tf.zeros([2, 3]), tf.zeros([2, 3], tf.float64)))
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, initial_state=())
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, dtype=tf.float64)
tf.nn.dynamic_rnn(cells.GRUCell(3), seq, dtype=tf.float32, scope=3)
tf.nn.dynamic_rnn(Pair(), (seq, tf.zeros([2, 5, 4])), dtype=tf.float32)
tf.nn.dynamic_rnn(Pair(), (seq, tf.zeros([5, 3, 4])), dtype=tf.float32)
tf.nn.dynamic_rnn(Pair(), (seq, tf.zeros([2, 3, 4])), dtype=tf.float32)
tf.nn.dynamic_rnn(Pair(), [seq, seq], dtype=tf.float32)
tf.nn.dynamic_rnn(Wrong(), seq, dtype=tf.float32)
tf.nn.dynamic_rnn(Wrong(), seq, sequence_length=[1, 2], dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), seq.shape.as_list(), dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), np.zeros([2, 3, 4], np.float32), dtype=tf.float32)
tf.nn.dynamic_rnn(cells.GRUCell(3), tf.placeholder(tf.float32, [None, None, 4]), dtype=tf.float32)
tf.nn.dynamic_rnn(cells.LSTMCell(3), seq, dtype=tf.float32, time_major=True)
tf.nn.dynamic_rnn(cells.LSTMCell(3), seq, dtype=tf.float32, sequence_length=[1, 2])
tf.nn.static_rnn(1, [x], dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), x, dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), [], dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), None, dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), [x])
tf.nn.static_rnn(cells.GRUCell(3), [x, tf.zeros([3, 4])], dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), [x, tf.zeros([2, 5])], dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), [tf.placeholder(tf.float32, [2, None])], dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), [tf.placeholder(tf.float32)], dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), [tf.zeros([])], dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), [tf.zeros([2])], dtype=tf.float32)
tf.nn.static_rnn(cells.GRUCell(3), [x], dtype=tf.float32, sequence_length=2)
tf.nn.static_rnn(cells.GRUCell(3), [x], dtype=tf.float32, sequence_length=[1, 1])
tf.nn.static_rnn(cells.LSTMCell(3), [x, x], dtype=tf.float32)
tf.nn.static_rnn(cells.LSTMCell(3), (x, x), dtype=tf.float32, sequence_length=[1, 1])
tf.nn.static_rnn(cells.GRUCell(3), [tf.placeholder(tf.float32, [None, 4])] * 2, dtype=tf.float32, sequence_length=[1, 1])
tf.nn.static_rnn(Wrong(), [x], sequence_length=[1, 2], dtype=tf.float32)
tf.nn.static_state_saving_rnn(cells.GRUCell(3), [x], None, ("a",))
tf.nn.static_state_saving_rnn(cells.LSTMCell(3), [x], None, "a")
tf.nn.static_state_saving_rnn(cells.LSTMCell(3), [x], None, ("a",))
tf.nn.bidirectional_dynamic_rnn(1, cells.GRUCell(3), seq, dtype=tf.float32)
tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(3), 1, seq, dtype=tf.float32)
tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(3), cells.LSTMCell(2), seq, dtype=tf.float32)
tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(3), cells.LSTMCell(2), seq)
tf.nn.static_bidirectional_rnn(cells.GRUCell(3), 1, [x], dtype=tf.float32)
tf.nn.static_bidirectional_rnn(cells.GRUCell(3), cells.GRUCell(2), x, dtype=tf.float32)
tf.nn.static_bidirectional_rnn(cells.GRUCell(3), cells.GRUCell(2), [], dtype=tf.float32)
tf.nn.static_bidirectional_rnn(cells.GRUCell(3), cells.GRUCell(2), [x, x], dtype=tf.float32)
tf.nn.static_bidirectional_rnn(cells.GRUCell(3), cells.GRUCell(2), [x, x], dtype=tf.float32, sequence_length=[1, 2])
tf.nn.raw_rnn(1, None)
tf.nn.raw_rnn(cells.GRUCell(3), None)
tf.nn.raw_rnn(cells.GRUCell(3), lambda *a: 3)
tf.nn.raw_rnn(cells.GRUCell(3), lambda *a: (ended, x, (tf.zeros([2, 3]),), None, None))
tf.nn.raw_rnn(cells.GRUCell(3), lambda *a: (ended, (x, tf.zeros([3, 4])), tf.zeros([2, 3]), None, None))
tf.nn.raw_rnn(cells.GRUCell(3), lambda t, o, s, l: (ended, x, tf.zeros([2, 3]), o, None))[1:]
tf.nn.raw_rnn(cells.GRUCell(3), lambda t, o, s, l: (ended, x, tf.zeros([2, 3]), o, None))[0].element_shape
tf.nn.raw_rnn(cells.GRUCell(3), lambda t, o, s, l: (ended, x, tf.zeros([2, 3]), (o, o), None))
tf.nn.raw_rnn(cells.GRUCell(3), lambda t, o, s, l: (ended, x if o is None else (x,), tf.zeros([2, 3]), o, None))
contrib.stack_bidirectional_dynamic_rnn([], [cells.GRUCell(3)], seq, dtype=tf.float32)
contrib.stack_bidirectional_dynamic_rnn([cells.GRUCell(3)], [], seq, dtype=tf.float32)
contrib.stack_bidirectional_dynamic_rnn((cells.GRUCell(3),), [cells.GRUCell(3)], seq, dtype=tf.float32)
contrib.stack_bidirectional_dynamic_rnn([cells.GRUCell(3)], (cells.GRUCell(3),), seq, dtype=tf.float32)
contrib.stack_bidirectional_dynamic_rnn([cells.GRUCell(3)], [cells.GRUCell(3)] * 2, seq, dtype=tf.float32)
contrib.stack_bidirectional_dynamic_rnn([cells.GRUCell(3)], [cells.GRUCell(3)], seq, (1,), dtype=tf.float32)
contrib.stack_bidirectional_rnn([cells.GRUCell(3)], [cells.GRUCell(3)], [x], initial_states_bw=[1, 2], dtype=tf.float32)
contrib.stack_bidirectional_dynamic_rnn([cells.GRUCell(3)], [cells.LSTMCell(2)], seq, dtype=tf.float32)
contrib.transpose_batch_time(seq), contrib.best_effort_input_batch_size([tf.placeholder(tf.float32), seq])
contrib.best_effort_input_batch_size([x[0]])
contrib.LSTMBlockCell(3).name, contrib.LSTMBlockFusedCell(3).name, contrib.GRUBlockCell(3).name, contrib.GRUBlockCellV2(3).name
contrib.LSTMBlockCell(3).state_size, contrib.LSTMBlockCell(3).output_size
contrib.GRUBlockCell(3).state_size, contrib.GRUBlockCellV2(num_units=3).output_size, contrib.LSTMBlockFusedCell(3).num_units
names(called(contrib.LSTMBlockCell(3, use_peephole=True)).variables)
names(called(contrib.GRUBlockCell(3)).variables), names(called(contrib.GRUBlockCellV2(3)).variables)
names(fused(contrib.LSTMBlockFusedCell(3, use_peephole=True), seq, dtype=tf.float32).variables)
[v.dtype for v in called(contrib.LSTMBlockCell(3, dtype=tf.half), tf.half).variables]
contrib.GRUBlockCell()
contrib.GRUBlockCell(3, cell_size=3)
contrib.GRUBlockCell(cell_size=3).state_size
contrib.LSTMBlockCell(3)(x, (x,))
contrib.LSTMBlockCell(3)(tf.placeholder(tf.float32, [2, None]), (x, x))
contrib.LSTMBlockCell(3)(seq, (x, x))
contrib.LSTMBlockCell(4)(x, (x, tf.zeros([2, 4], tf.half)))
contrib.GRUBlockCell(3)(x, tf.zeros([2, 2]))
contrib.GRUBlockCell(3)(x, tf.zeros([3]))
contrib.GRUBlockCell(3)(x, tf.placeholder(tf.float32, [2, None]))
contrib.GRUBlockCell(3)(tf.placeholder(tf.float32, [2, None]), x)
contrib.LSTMBlockFusedCell(3)(seq)
contrib.LSTMBlockFusedCell(3)(x, dtype=tf.float32)
contrib.LSTMBlockFusedCell(3)(seq, (x,))
contrib.LSTMBlockFusedCell(3)(seq, dtype=tf.float32)
contrib.LSTMBlockFusedCell(3)(tf.placeholder(tf.float32, [None, None, 4]), dtype=tf.float32)
contrib.LSTMBlockFusedCell(3)([x, x], dtype=tf.float32)
contrib.LSTMBlockFusedCell(3)(seq, dtype=tf.float32, sequence_length=[1, 2, 1])
contrib.LSTMBlockWrapper()
contrib.FusedRNNCellAdaptor(contrib.GRUCell(3))(seq)
contrib.FusedRNNCellAdaptor(contrib.GRUCell(3))([x], dtype=tf.float32)
contrib.FusedRNNCellAdaptor(contrib.GRUCell(3), True)(seq, dtype=tf.float32)
contrib.TimeReversedFusedRNN(contrib.LSTMBlockFusedCell(3))(seq, dtype=tf.float32)
contrib.TimeReversedFusedRNN(contrib.FusedRNNCellAdaptor(contrib.GRUCell(3)))([x, x], dtype=tf.float32)
twice(lambda: contrib.LSTMBlockCell(3), "a")
twice(lambda: contrib.LSTMBlockCell(3), "a", reuse=True)
names(called(contrib.IndRNNCell(3)).variables), names(called(contrib.IndyGRUCell(3)).variables)
names(called(contrib.IndyLSTMCell(3)).variables), names(called(contrib.SRUCell(4)).variables)
names(called(contrib.NASCell(3, 2, True)).variables), names(called(contrib.UGRNNCell(3)).variables)
names(called(contrib.IntersectionRNNCell(4)).variables)
names(called(contrib.AttentionCellWrapper(cells.GRUCell(3), 2)).variables)
names(called(contrib.InputProjectionWrapper(cells.GRUCell(3), 2)).variables)
names(tf.trainable_variables(), called(contrib.OutputProjectionWrapper(cells.GRUCell(3), 2)))
contrib.IndRNNCell(3).state_size, contrib.IndyLSTMCell(3).state_size, contrib.NASCell(3, 2).state_size
contrib.AttentionCellWrapper(cells.LSTMCell(3), 2, 5).state_size, contrib.AttentionCellWrapper(cells.GRUCell(3), 2, 5).output_size
contrib.AttentionCellWrapper(cells.GRUCell(3), 2, state_is_tuple=False).state_size
contrib.OutputProjectionWrapper(cells.LSTMCell(3), 2).state_size, contrib.OutputProjectionWrapper(cells.GRUCell(3), 2).output_size
contrib.EmbeddingWrapper(cells.GRUCell(3), 5, 2).output_size, contrib.HighwayWrapper(cells.LSTMCell(3)).state_size
names(called(contrib.LayerNormBasicLSTMCell(3)).variables)
contrib.LayerNormBasicLSTMCell(3).state_size, names(called(contrib.LayerNormBasicLSTMCell(3, layer_norm=False)).variables)
contrib.ConvLSTMCell(1, [4, 2], 3, [2]).state_size, contrib.ConvLSTMCell(1, [4, 2], 3, [2], skip_connection=True).output_size
contrib.ConvLSTMCell(2, [4, 2], 3, [2])
contrib.ConvLSTMCell(1, [4, 2], 3, [2])(x, (x, x))
contrib.Conv1DLSTMCell(input_shape=[3, 4], output_channels=3, kernel_shape=[2])(seq, (x, x))
contrib.EmbeddingWrapper(cells.GRUCell(3), 0, 2)
contrib.EmbeddingWrapper(3, 1, 2)
contrib.OutputProjectionWrapper(cells.GRUCell(3), 0)
contrib.InputProjectionWrapper(cells.GRUCell(3), 2)(seq, tf.zeros([2, 3]))
contrib.InputProjectionWrapper(cells.GRUCell(3), 2)(tf.placeholder(tf.float32, [2, None]), tf.zeros([2, 3]))
contrib.AttentionCellWrapper(cells.LSTMCell(3), 2, state_is_tuple=False)
contrib.AttentionCellWrapper(cells.LSTMCell(3), 0)
contrib.HighwayWrapper(cells.GRUCell(3))(x, tf.zeros([2, 3]))
contrib.IntersectionRNNCell(3)(x, tf.zeros([2, 3]))
contrib.IntersectionRNNCell(3)(tf.placeholder(tf.float32, [2, None]), tf.zeros([2, 3]))
contrib.UGRNNCell(3)(tf.placeholder(tf.float32, [2, None]), tf.zeros([2, 3]))
contrib.NASCell(3)(tf.placeholder(tf.float32, [2, None]), (x, x))
contrib.IndRNNCell(3)(tf.placeholder(tf.float32, [2, None]), x)
contrib.SRUCell(3)(seq, x)
[getattr(at(m), n) is getattr(contrib, n) for m, n in [("lstm_ops", "LSTMBlockCell"), ("gru_ops", "GRUBlockCellV2")]]
at("rnn_cell").NASCell is contrib.NASCell, at("rnn_cell").SRUCell is contrib.SRUCell
[getattr(at(m), n) is getattr(contrib, n) for m, n in [("core_rnn_cell", "EmbeddingWrapper"), ("rnn", "stack_bidirectional_rnn")]]
at("fused_rnn_cell").FusedRNNCell is contrib.FusedRNNCell, at("lstm_ops").LSTMBlockFusedCell is contrib.LSTMBlockFusedCell
at("core_rnn_cell")._linear([], 3, True)
at("core_rnn_cell")._linear([x, seq], 3, True)
at("core_rnn_cell")._linear(tf.placeholder(tf.float32, [2, None]), 3, True)
sorted(name for name in OF_CONTRIB if not hasattr(contrib, name))
[getattr(contrib, name) is getattr(cells, name) for name in OF_CONTRIB if hasattr(cells, name)]
[signature(getattr(contrib, name)) for name in LATER]
[at("rnn_cell").GridLSTMCell is contrib.GridLSTMCell, at("rnn_cell").CompiledWrapper is contrib.CompiledWrapper]
contrib.CoupledInputForgetGateLSTMCell(3).state_size, contrib.CoupledInputForgetGateLSTMCell(3).output_size
contrib.CoupledInputForgetGateLSTMCell(3, num_proj=2).state_size
contrib.CoupledInputForgetGateLSTMCell(3, num_proj=2, state_is_tuple=False).state_size
contrib.CoupledInputForgetGateLSTMCell(3, num_proj=0).state_size
names(called(contrib.CoupledInputForgetGateLSTMCell(3, True, num_proj=2, num_unit_shards=3, num_proj_shards=2)).variables)
[v.shape for v in called(contrib.CoupledInputForgetGateLSTMCell(3, num_unit_shards=3)).variables]
names(called(contrib.CoupledInputForgetGateLSTMCell(3, layer_norm=True)).trainable_weights)
names(called(contrib.CoupledInputForgetGateLSTMCell(3, num_unit_shards=2)) and tf.get_collection("concatenated_variables"))
called(contrib.CoupledInputForgetGateLSTMCell(3, num_unit_shards=8))
called(contrib.CoupledInputForgetGateLSTMCell(3, num_proj=0))
called(contrib.CoupledInputForgetGateLSTMCell(3, layer_norm=True), dtype=tf.float64)
contrib.CoupledInputForgetGateLSTMCell(3)(tf.placeholder(tf.float32, [2, None]), (x, x))
contrib.CoupledInputForgetGateLSTMCell(3)(seq, (x, x))
contrib.CoupledInputForgetGateLSTMCell(3)(x, x)
twice(lambda: contrib.CoupledInputForgetGateLSTMCell(3), "a")
twice(lambda: contrib.CoupledInputForgetGateLSTMCell(3), "a", reuse=tf.AUTO_REUSE)
twice(lambda: contrib.CoupledInputForgetGateLSTMCell(3, reuse=tf.AUTO_REUSE), "a")
contrib.TimeFreqLSTMCell(3).state_size, contrib.TimeFreqLSTMCell(3).output_size
names(called(contrib.TimeFreqLSTMCell(3, True, feature_size=4, num_unit_shards=2)).variables)
called(contrib.TimeFreqLSTMCell(3))
contrib.TimeFreqLSTMCell(3, feature_size=2)(x, tf.zeros([2, 18]))[0]
contrib.TimeFreqLSTMCell(3, feature_size=2, frequency_skip=2)(x, tf.zeros([2, 12]))[1]
contrib.TimeFreqLSTMCell(3, feature_size=2)(tf.placeholder(tf.float32, [None, 4]), tf.zeros([2, 18]))
contrib.TimeFreqLSTMCell(3, feature_size=2)(tf.placeholder(tf.float32, [2, None]), tf.zeros([2, 18]))
contrib.TimeFreqLSTMCell(3, feature_size=2)(seq, tf.zeros([2, 18]))
twice(lambda: contrib.TimeFreqLSTMCell(3, feature_size=4), "a", reuse=True)
contrib.GridLSTMCell(3)
grid().state_size, grid().output_size, grid().state_tuple_type.__name__
grid(state_is_tuple=False).state_size, grid(state_is_tuple=False).output_size, grid(state_is_tuple=False).state_tuple_type
grid(num_frequency_blocks=[1, 2]).state_size, grid(num_frequency_blocks=[]).state_size
names(called(grid(use_peepholes=True)).variables)
names(called(grid(use_peepholes=True, share_time_frequency_weights=True, couple_input_forget_gates=True)).variables)
names(called(grid(num_unit_shards=2)).variables)
[v.shape for v in called(grid()).variables]
called(grid(num_frequency_blocks=[2]))
called(grid(num_frequency_blocks=[1, 2]))
called(grid(num_frequency_blocks=[1, 2], start_freqindex_list=[0, 1], end_freqindex_list=[2]))
called(grid(num_frequency_blocks=[1, 2], start_freqindex_list=[0], end_freqindex_list=[2]))
called(grid(num_frequency_blocks=[1, 2], start_freqindex_list=[0, 1], end_freqindex_list=[2, 3]))
called(grid(num_frequency_blocks=[1, 2], start_freqindex_list=[0, 1], end_freqindex_list=[2, 4])).built
called(grid(start_freqindex_list=[0]))
called(grid(feature_size=None))
called(grid(frequency_skip=None))
called(grid(num_unit_shards=20))
grid()(tf.placeholder(tf.float32, [2, None]), grid().zero_state(2, tf.float32))
grid()(seq, grid().zero_state(2, tf.float32))
grid()(x, (x,) * 6)
grid()(tf.placeholder(tf.float32, [None, 4]), grid().zero_state(2, tf.float32))
twice(grid, "a")
twice(grid, "a", reuse=tf.AUTO_REUSE)
twice(lambda: grid(reuse=tf.AUTO_REUSE), "a")
grid(both=True).state_size, grid(both=True).output_size, grid(both=True).state_tuple_type.__name__
names(called(grid(both=True, num_frequency_blocks=[1, 2], start_freqindex_list=[0, 1], end_freqindex_list=[2, 4])).variables)
called(grid(both=True, backward_slice_offset=7)).built
called(grid(both=True, backward_slice_offset=-7)).built
called(grid(both=True, num_frequency_blocks=[2]))
grid(both=True, backward_slice_offset="a")
contrib.BidirectionalGridLSTMCell(3)
contrib.PhasedLSTMCell(3).state_size, contrib.PhasedLSTMCell(3).output_size
names(phased(contrib.PhasedLSTMCell(3, trainable_ratio_on=False)).weights)
names(phased(contrib.PhasedLSTMCell(3, trainable_ratio_on=False)).trainable_weights)
[v.shape for v in phased(contrib.PhasedLSTMCell(3, True)).variables]
phased(contrib.PhasedLSTMCell(3), tf.float64).dtype
phased(contrib.PhasedLSTMCell(3), tf.float16).dtype
phased(contrib.PhasedLSTMCell(3), tf.int32).built
called(contrib.PhasedLSTMCell(3))
contrib.PhasedLSTMCell(3)((tf.zeros([2, 1]), tf.zeros([2, 4], tf.float64)), contrib.PhasedLSTMCell(3).zero_state(2, tf.float64))
contrib.PhasedLSTMCell(3)((tf.zeros([2, 1]), x, x), (x, x))
contrib.GLSTMCell(4).state_size, contrib.GLSTMCell(4).output_size
contrib.GLSTMCell(4, num_proj=2).state_size, contrib.GLSTMCell(4, num_proj=2, number_of_groups=2).output_size
contrib.GLSTMCell(3, number_of_groups=2)
contrib.GLSTMCell(4, num_proj=3, number_of_groups=2)
names(called(contrib.GLSTMCell(4, num_proj=2, number_of_groups=2)).variables)
[v.shape for v in called(contrib.GLSTMCell(4, num_proj=2, number_of_groups=2)).variables]
called(contrib.GLSTMCell(3, number_of_groups=3))
contrib.GLSTMCell(4)(tf.placeholder(tf.float32, [2, None]), (x, x))
contrib.GLSTMCell(4)(tf.placeholder(tf.float32), (x, x))
contrib.GLSTMCell(4)(x, (x, x))[0]
contrib.GLSTMCell(4)(x, x)
twice(lambda: contrib.GLSTMCell(4, number_of_groups=2), "a", reuse=tf.AUTO_REUSE)
contrib.CompiledWrapper(cells.GRUCell(3)).state_size, contrib.CompiledWrapper(cells.LSTMCell(3, num_proj=2)).output_size
names(called(cells.GRUCell(3)).variables), contrib.CompiledWrapper(cells.GRUCell(3)).zero_state(2, tf.float32)
called(contrib.CompiledWrapper(cells.GRUCell(3))) and names(tf.global_variables())
called(contrib.CompiledWrapper(cells.GRUCell(3)), scope="given") and names(tf.global_variables())
contrib.CompiledWrapper(cells.GRUCell(3)).name
contrib.CompiledWrapper(3).state_size
called(contrib.CompiledWrapper(3))
compiled_loop(lambda step: tf.while_loop(lambda i, y: i < 3, step, (0, x), maximum_iterations=4))
compiled_loop(lambda step: tf.while_loop(lambda i, y: i < 3, step, (0, x)))
compiled_loop(lambda step: tf.while_loop(lambda i, y: i < 3, step, (0, x), maximum_iterations=tf.placeholder(tf.int32, [])))
nested_compiled_loops(lambda i: i + 1, asks_inside=True)
nested_compiled_loops(lambda i: 4)
nested_compiled_loops(lambda i: i + 1)
copies(cells.LSTMCell(3))
copies(cells.MultiRNNCell([cells.LSTMCell(3), cells.GRUCell(2)]))
called(cells.GRUCell(3, activity_regularizer=tf.reduce_sum)).losses
called(cells.GRUCell(3, activity_regularizer=tf.reduce_sum)).get_losses_for(None)
called(cells.GRUCell(3, activity_regularizer=tf.reduce_sum)) and tf.losses.get_regularization_losses()
called(Regularized()) and tf.losses.get_regularization_losses()
(lambda c: [op.name for op in c.updates + tf.get_collection("update_ops")])(called(Regularized()))
(lambda c: [op.name for op in c.get_updates_for(None)])(called(Regularized()))
(lambda c: [op.name for op in c.get_updates_for(tf.get_default_graph().get_tensor_by_name("zeros:0"))])(called(Regularized()))
called(Regularized(trainable=False)).updates
cells.GRUCell(3).losses, cells.GRUCell(3).updates, cells.GRUCell(3).activity_regularizer
cells.GRUCell(3).get_config()
cells.BasicRNNCell(3, activation="relu", dtype=tf.float32, trainable=False, name="b", reuse=True).get_config()
cells.BasicLSTMCell(3, activation=tf.nn.relu, state_is_tuple=False).get_config()
cells.LSTMCell(3, activation=tf.tanh, cell_clip=2, initializer=tf.glorot_uniform_initializer()).get_config()
cells.LSTMCell(3, initializer=tf.random_uniform_initializer(-1, 1, seed=3), num_proj=2).get_config()
[tf_config(name) for name in ("zeros", "ones", "orthogonal", "he_normal", "normal", "uniform", "lecun_uniform", "identity")]
cells.LSTMCell.from_config(cells.LSTMCell(3, initializer=tf.constant_initializer(2.0)).get_config()).get_config()
cells.GRUCell.from_config(cells.GRUCell(3, activation="elu", bias_initializer="ones").get_config()).get_config()
cells.GRUCell(3, activation=lambda x: x).get_config()["activation"]
cells.GRUCell(3, kernel_initializer={"class_name": "Constant", "config": {"value": 2.0}}).get_config()
cells.RNNCell().get_config()
cells.ResidualWrapper(cells.GRUCell(3)).get_config()
cells.DeviceWrapper(cells.BasicLSTMCell(3), "/cpu:0").get_config()
cells.DropoutWrapper(cells.GRUCell(3), 0.5, seed=2).get_config()
cells.DropoutWrapper.from_config(cells.DropoutWrapper(cells.GRUCell(3)).get_config())
cells.DropoutWrapper.from_config(dict(cells.DropoutWrapper(cells.GRUCell(3)).get_config(), cell=cells.GRUCell(2))).state_size
cells.MultiRNNCell([cells.GRUCell(3)]).get_config()
""".strip().split("\n")

LATER = """
BidirectionalGridLSTMCell CompiledWrapper CoupledInputForgetGateLSTMCell GLSTMCell GridLSTMCell PhasedLSTMCell TimeFreqLSTMCell
""".split()
OF_CONTRIB = """
AttentionCellWrapper BasicLSTMCell BasicRNNCell Conv1DLSTMCell Conv2DLSTMCell Conv3DLSTMCell ConvLSTMCell DeviceWrapper
DropoutWrapper EmbeddingWrapper FusedRNNCell FusedRNNCellAdaptor GRUBlockCell GRUBlockCellV2 GRUCell HighwayWrapper
IndRNNCell IndyGRUCell IndyLSTMCell InputProjectionWrapper IntersectionRNNCell LSTMBlockCell LSTMBlockFusedCell
LSTMBlockWrapper LSTMCell LSTMStateTuple LayerNormBasicLSTMCell LayerRNNCell MultiRNNCell NASCell OutputProjectionWrapper
RNNCell ResidualWrapper SRUCell TimeReversedFusedRNN UGRNNCell best_effort_input_batch_size stack_bidirectional_dynamic_rnn
stack_bidirectional_rnn static_bidirectional_rnn static_rnn static_state_saving_rnn transpose_batch_time
""".split()


def _classes(tf):
    """User-defined cells, by name."""

    class Own(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 3

        def call(self, inputs, state):
            output = tf.matmul(inputs, tf.get_variable("w", [4, 3])) + tf.get_variable("b", [3], trainable=False)
            return output, output

    class OwnWeights(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 3

        def build(self, shape):
            self.w = self.add_variable("w", [4, 3])
            self.b = self.add_weight("b", [3], trainable=False, initializer="ones")

        def call(self, inputs, state):
            output = tf.matmul(inputs, self.w) + self.b
            return output, output

    class Regularized(OwnWeights):
        def build(self, shape):
            self.w = self.add_weight("w", [4, 3], regularizer=tf.nn.l2_loss)
            self.b = self.add_weight("b", [3], trainable=False)

        def call(self, inputs, state):
            output = tf.matmul(inputs, self.w)
            self.add_update(tf.assign(self.b, tf.reduce_sum(output, 0)))
            self.add_update([lambda: tf.assign(self.b, [1.0, 2.0, 3.0])])
            self.add_loss(tf.reduce_sum(output), inputs=inputs)
            self.add_loss([lambda: 3.0, None])
            return output, state

    class ReturnsNone(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 3

        def call(self, inputs, state):
            pass

    class Half:
        state_size = 3

        def __str__(self):
            return "half a cell"

    class Pair(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 4

        def call(self, inputs, state):
            return inputs[0] + inputs[1], state

    class Wrong(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 4

        def call(self, inputs, state):
            return (inputs, inputs), [state]

    return {made.__name__: made for made in (Own, OwnWeights, Regularized, ReturnsNone, Half, Pair, Wrong)}


def _helpers(tf):
    cells = tf.nn.rnn_cell

    def called(cell, dtype=tf.float32, **options):
        cell(tf.zeros([2, 4], dtype), cell.zero_state(2, dtype), **options)
        return cell

    def fused(layer, *args, **options):
        layer(*args, **options)
        return layer

    def built(cell, shape):
        cell.build(shape)
        return cell

    def names(variables, _=None):
        return [getattr(v, "name", None) for v in variables]

    def twice(make, scope, **options):
        for i in range(2):
            with tf.variable_scope(scope, **(options if i else {})):
                called(make())
        return names(tf.global_variables())

    def grid(both=False, **options):
        contrib = import_module(f"{tf.__name__}.contrib.rnn")
        options = {"feature_size": 2, "frequency_skip": 1, "num_frequency_blocks": [3], **options}
        return (contrib.BidirectionalGridLSTMCell if both else contrib.GridLSTMCell)(3, **options)

    def phased(cell, dtype=tf.float32):
        cell((tf.zeros([2, 1], dtype), tf.zeros([2, 4])), cell.zero_state(2, tf.float32))
        return cell

    def compiled_step(scope="cell"):
        cell = import_module(f"{tf.__name__}.contrib.rnn").CompiledWrapper(cells.BasicRNNCell(4))
        return lambda i, y: (i + 1, cell(y, y, scope=scope)[0])

    def compiled_loop(make):
        y = make(compiled_step())[1]
        return names(tf.gradients(y, tf.trainable_variables()))

    def nested_compiled_loops(most, asks_inside=False):
        def step(i, y):
            inner = tf.while_loop(lambda j, z: j < 2, compiled_step(), (0, y), maximum_iterations=most(i))[1]
            return i + 1, tf.gradients(inner, y)[0] if asks_inside else inner

        x = tf.ones([2, 4])
        y = tf.while_loop(lambda i, y: i < 3, step, (0, x), maximum_iterations=3)[1]
        return y.name if asks_inside else tf.gradients(y, x)[0].name

    def signature(made):
        parameters = list(inspect.signature(made.__init__).parameters.values())[1:]
        return made.__name__, [(p.name, getattr(p.default, "__name__", p.default)) for p in parameters]

    def run(value):
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return session.run(value)

    def copies(cell):
        import copy

        other = copy.deepcopy(cell)
        return other is not cell, other.name == cell.name, other.state_size == cell.state_size, other.built

    def tf_config(name):
        return cells.LSTMCell(3, initializer=name).get_config()["initializer"]

    known = {
        "called": called,
        "fused": fused,
        "built": built,
        "names": names,
        "twice": twice,
        "run": run,
        "copies": copies,
        "grid": grid,
        "phased": phased,
        "compiled_loop": compiled_loop,
        "nested_compiled_loops": nested_compiled_loops,
        "signature": signature,
    }
    return {**known, "tf_config": tf_config, "cells": cells}


def outcome(tf, expression):
    """The value as text, or the error's class and first line, in a new graph."""
    with tf.Graph().as_default():
        known = {"tf": tf, "np": np, "OF_CONTRIB": OF_CONTRIB, "LATER": LATER, **_classes(tf), **_helpers(tf)}
        known["contrib"] = import_module(f"{tf.__name__}.contrib.rnn")
        known["at"] = lambda name: import_module(f"{tf.__name__}.contrib.rnn.python.ops.{name}")
        if "x" in expression:
            known["x"] = tf.zeros([2, 4], name="x")
        if "seq" in expression:
            known["seq"] = tf.zeros([2, 3, 4], name="seq")
        known["ended"] = tf.fill([2], True)
        try:
            return str(eval(expression, known))
        except (tf.errors.OpError, AttributeError, ValueError, TypeError, NotImplementedError, IndexError) as error:
            message = getattr(error, "message", None) or str(error)
            return f"{type(error).__name__}: " + _without_autograph(message).strip().split("\n")[0]


def _without_autograph(message):
    """The original error message; TensorFlow prepends the location in converted code."""
    if not message.startswith("in converted code:"):
        return message
    last = message.strip().split("\n\n")[-1]
    return last.strip().partition(": ")[2]


def _record():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    RECORDED.write_text(json.dumps({one: outcome(tf, one) for one in EXPRESSIONS}, indent=1) + "\n")


if __name__ == "__main__":
    _record()
