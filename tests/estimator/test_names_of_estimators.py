"""`tf.estimator` has the names of TensorFlow 1.15; errors explain why canned models are missing."""

import pytest

import tinytf as tf

_THERE = {
    "": "BestExporter CheckpointSaverHook CheckpointSaverListener Estimator EstimatorSpec EvalSpec Exporter FeedFnHook "
    "FinalExporter FinalOpsHook GlobalStepWaiterHook LatestExporter LoggingTensorHook ModeKeys NanLossDuringTrainingError "
    "NanTensorHook ProfilerHook RunConfig SecondOrStepTimer SessionRunArgs SessionRunContext SessionRunHook "
    "SessionRunValues StepCounterHook StopAtStepHook SummarySaverHook TrainSpec VocabInfo WarmStartSettings add_metrics "
    "experimental export inputs train_and_evaluate",
    "export": "ClassificationOutput ExportOutput PredictOutput RegressionOutput ServingInputReceiver "
    "TensorServingInputReceiver build_parsing_serving_input_receiver_fn build_raw_serving_input_receiver_fn",
    "inputs": "numpy_input_fn pandas_input_fn",
    "experimental": "InMemoryEvaluatorHook build_raw_supervised_input_receiver_fn call_logit_fn make_early_stopping_hook "
    "make_stop_at_checkpoint_step_hook stop_if_higher_hook stop_if_lower_hook stop_if_no_decrease_hook "
    "stop_if_no_increase_hook",
}
_NOT_THERE = (
    "BaselineClassifier BaselineEstimator BaselineRegressor BinaryClassHead BoostedTreesClassifier BoostedTreesEstimator "
    "BoostedTreesRegressor DNNClassifier DNNEstimator DNNLinearCombinedClassifier DNNLinearCombinedEstimator "
    "DNNLinearCombinedRegressor DNNRegressor Head LinearClassifier LinearEstimator LinearRegressor LogisticRegressionHead "
    "MultiClassHead MultiHead MultiLabelHead PoissonRegressionHead RegressionHead classifier_parse_example_spec "
    "regressor_parse_example_spec tpu experimental.KMeans experimental.LinearSDCA experimental.dnn_logit_fn_builder "
    "experimental.linear_logit_fn_builder"
)


def _get(name):
    value = tf.estimator
    for part in filter(None, name.split(".")):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("namespace", _THERE)
def test_names(namespace):
    assert {name for name in dir(_get(namespace)) if not name.startswith("_")} == set(_THERE[namespace].split())


@pytest.mark.parametrize("name", _NOT_THERE.split())
def test_models_that_are_written_already_are_no_part(name):
    with pytest.raises(AttributeError, match=f"tf.estimator.{name} of TensorFlow 1.15 is not part of tinytf: "):
        _get(name)


@pytest.mark.parametrize("name", ["Nothing", "DNN", "MyDNNClassifier", "experimental.tpu"])
def test_other_names(name):
    with pytest.raises(AttributeError, match=f"neither tinytf nor TensorFlow 1.15 has tf.estimator.{name}"):
        _get(name)


@pytest.mark.oracle
def test_tensorflow_has_these_names(oracle1):
    spaces = oracle1(
        "import functools\n"
        "spaces = {s: functools.reduce(getattr, filter(None, [s]), tf.estimator) for s in names}\n"
        "result = {s: [n for n in dir(space) if n[0] != '_'] for s, space in spaces.items()}",
        names=list(_THERE),
    )
    ours = {f"{space}.{name}".strip(".") for space, names in _THERE.items() for name in names.split()}
    theirs = {f"{space}.{name}".strip(".") for space, names in spaces.items() for name in names}
    assert theirs == ours | set(_NOT_THERE.split())
