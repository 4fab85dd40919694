"""Exception classes, and the conversion of runtime messages to user messages."""

import copy
import os
import pickle
import traceback
import warnings
from types import SimpleNamespace

import pytest

import tinytf as tf
from tinytf._src.framework.errors import error_interpolation, errors, errors_impl
from tinytf._src.framework.sites import creation_line

CLASSES = {code: errors.exception_type_from_error_code(code) for code in range(1, 17)}


class TestClasses:
    @pytest.mark.parametrize("code", CLASSES)
    def test_attributes_and_pickle(self, code):
        cls = CLASSES[code]
        error = cls("node", "op", "text")
        assert (error.node_def, error.op, error.message, error.error_code) == ("node", "op", "text", code)
        assert error.args == () and isinstance(error, errors.OpError)
        assert errors.error_code_from_exception_type(cls) == code
        for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert type(other) is cls
            assert (other.node_def, other.op, other.message, other.error_code) == ("node", "op", "text", code)

    def test_str_is_the_message_when_there_is_no_op(self):
        for cls in CLASSES.values():
            assert str(cls(None, None, "what happened")) == "what happened"

    def test_constants_name_the_classes(self):
        for code, cls in CLASSES.items():
            words = "".join(["_" + c if c.isupper() else c for c in cls.__name__[: -len("Error")]])
            assert getattr(errors, words.upper().strip("_")) == code
        assert errors.OK == 0

    def test_tracebacks_show_public_names(self):
        for name in dir(tf.errors):
            cls = getattr(tf.errors, name)
            if isinstance(cls, type):
                assert repr(cls) == f"<class 'tinytf.errors.{name}'>" and pickle.loads(pickle.dumps(cls)) is cls
        try:
            raise tf.errors.NotFoundError(None, None, "no such thing")
        except tf.OpError as error:
            text = traceback.format_exception_only(error)
        assert text == ["tinytf.errors.NotFoundError: no such thing\n"]

    def test_base_class_and_keyword_arguments(self):
        error = errors.OpError(None, None, message="text", error_code=7)
        assert (error.message, error.error_code, str(error)) == ("text", 7, "text")
        assert errors.UnknownError(None, None, "text", error_code=99).error_code == 99
        assert pickle.loads(pickle.dumps(errors.UnknownError(None, None, "text", 99))).error_code == 99

    @pytest.mark.parametrize(
        "cls, python",
        [
            (errors.InvalidArgumentError, ValueError),
            (errors.OutOfRangeError, IndexError),
            (errors.UnimplementedError, NotImplementedError),
            (errors.DeadlineExceededError, TimeoutError),
            (errors.NotFoundError, LookupError),
            (errors.PermissionDeniedError, PermissionError),
            (errors.InaccessibleTensorError, ValueError),
            (errors.OperatorNotAllowedInGraphError, TypeError),
        ],
    )
    def test_python_classes(self, cls, python):
        assert issubclass(cls, python)

    def test_unknown_codes(self):
        with pytest.warns(UserWarning, match="Unknown error code: 77"):
            error = errors_impl.make_specific_exception(None, None, "text", 77)
        assert type(error) is errors.UnknownError and error.error_code == 77
        with pytest.warns(UserWarning, match="Unknown class exception"):
            found = errors.error_code_from_exception_type(KeyError)
        assert type(found) is errors.UnknownError  # an exception instead of a code, as in TensorFlow 1.15
        assert (found.message, found.error_code) == ("Unknown class exception", None)
        with pytest.raises(KeyError):
            errors.exception_type_from_error_code(0)

    def test_status_context(self):
        with errors.raise_exception_on_not_ok_status():
            pass
        with pytest.raises(errors.NotFoundError, match="no such thing"):
            with errors.raise_exception_on_not_ok_status() as status:
                status.set(errors.NOT_FOUND, "no such thing")
        with pytest.raises(KeyError):
            with errors.raise_exception_on_not_ok_status() as status:
                status.set(errors.NOT_FOUND, "hidden by the other error")
                raise KeyError("other")


INSIDE = os.path.join(os.path.dirname(os.path.abspath(tf.__file__)), "ops", "gen_math_ops.py")


class Op(SimpleNamespace):
    """An operation with the members that error_interpolation reads."""

    __hash__ = object.__hash__

    def __init__(self, name, *frames, inputs=(), control_inputs=(), **attributes):
        tensors = [SimpleNamespace(op=op) for op in inputs]
        super().__init__(
            name=name,
            node_def="NodeDef of " + name,
            traceback=list(frames),
            inputs=tensors,
            control_inputs=list(control_inputs),
            **{"_original_op": None, **attributes},
        )


class Graph(dict):
    """A graph with the members that error_interpolation reads."""

    def __init__(self, *ops):
        super().__init__((op.name, op) for op in ops)

    get_operation_by_name = dict.__getitem__


class TestInterpolation:
    def test_messages_are_split_at_tags(self):
        assert error_interpolation.parse_message("a{{node b/c_1}}d{{x y}}") == (
            ["a", "d", ""],
            [("node", "b/c_1"), ("x", "y")],
        )
        assert error_interpolation.parse_message("{{node }} {{node a b}}") == (["{{node }} {{node a b}}"], [])

    @pytest.mark.parametrize(
        "message, name",
        [
            ("bad\n\t [[{{node a/b}}]]", "a/b"),
            ("bad\n\t [[a/b]]", "a/b"),
            ("bad [[Node: a/b = MatMul[T=DT_FLOAT](x)]]", "a/b"),
            ("no node [] here", None),
        ],
    )
    def test_the_failing_node(self, message, name):
        assert error_interpolation.node_name_in_message(message) == name

    def test_definition_skips_our_own_frames(self):
        op = Op(
            "n", ("/home/me/main.py", 1, "<module>", "f()"), ("/home/me/model.py", 9, "f", "x"), (INSIDE, 5, "g", "")
        )
        assert creation_line.defining_frame(op)[:2] == ("/home/me/model.py", 9)
        text = error_interpolation.interpolate("bad\n\t [[{{node n}}]]", Graph(op))
        assert text == "bad\n\t [[node n (defined at /home/me/model.py:9) ]]"

    def test_demos_count_as_the_users_files(self):
        demo = (os.path.join(os.path.dirname(os.path.dirname(INSIDE)), "demos", "digits.py"), 7, "main", "")
        assert creation_line.defining_frame(Op("n", demo, (INSIDE, 5, "g", ""))) == demo

    def test_common_directory_is_removed(self):
        op = Op("n", ("/home/me/main.py", 1, "<module>", ""), ("/home/me/net/model.py", 9, "f", ""))
        assert error_interpolation.interpolate("{{node n}}", Graph(op)) == "node n (defined at net/model.py:9) "

    def test_inputs_defined_elsewhere(self):
        a = Op("a", ("/p/m.py", 1, "f", ""))
        b = Op("b", ("/p/m.py", 2, "f", ""))
        c = Op("c", ("/p/m.py", 3, "f", ""), inputs=[a, a], control_inputs=[b])
        assert error_interpolation.interpolate("x [[{{node c}}]]", Graph(a, b, c)) == (
            "x [[node c (defined at m.py:3) ]]\n\nErrors may have originated from an input operation."
            "\nInput Source operations connected to node c:\n a (defined at m.py:1)\t\n b (defined at m.py:2)"
        )

    def test_a_node_that_stands_for_several(self):
        a, b = Op("a", ("/p/m.py", 1, "f", "")), Op("s/b", ("/p/m.py", 2, "f", ""))
        message = "bad\n\t [[{{node a}}, {{node s/b}}]]"
        error = error_interpolation.make_op_error(Graph(a, b), errors.INTERNAL, message)
        assert error.op is a
        assert error.message == "bad\n\t [[node a (defined at m.py:1) , node s/b (defined at m.py:2) ]]"

    def test_unknown_nodes_keep_their_tag_and_functions_vanish(self):
        assert error_interpolation.interpolate("{{node q}} {{function_node f}}!", Graph()) == "{{node q}} !"

    def test_no_frames(self):
        assert error_interpolation.interpolate("{{node n}}", Graph(Op("n"))) == "node n "

    def test_colocation(self):
        place = SimpleNamespace(obj="/cpu:0", filename="m.py", lineno=7)
        op = Op("n", ("/p/m.py", 1, "f", ""), _device_assignments=[place], _colocation_dict={"v": place})
        assert error_interpolation.interpolate("{{colocation_node n}}.", Graph(op)) == (
            "node n (defined at m.py:1) placed on device "
            "Device assignments active during op 'n' creation:\n  with tf.device(/cpu:0): <m.py:7> ."
            "Additional information about colocations:"
            "Node-device colocations active during op 'n' creation:\n  with tf.colocate_with(v): <m.py:7>\n"
            "Device assignments active during op 'n' creation:\n  with tf.device(/cpu:0): <m.py:7>"
        )
        bare = Op("m", ("/p/m.py", 1, "f", ""))
        text = error_interpolation.interpolate("{{colocation_node m}}", Graph(bare))
        assert "No node-device colocations were active during op 'm' creation." in text
        assert "No device assignments were active during op 'm' creation." in text


class TestOpErrors:
    def test_op_is_found_and_text_has_its_stack(self):
        op = Op("n", ("/p/a.py", 1, "<module>", "main()"), ("/p/b.py", 2, "main", "tf.matmul(x, y)"))
        error = error_interpolation.make_op_error(Graph(op), errors.INVALID_ARGUMENT, "bad\n\t [[{{node n}}]]")
        assert type(error) is errors.InvalidArgumentError and error.op is op and error.node_def == "NodeDef of n"
        assert error.message == "bad\n\t [[node n (defined at b.py:2) ]]"
        assert str(error) == error.message + (
            "\n\nOriginal stack trace for 'n':\n"
            '  File "a.py", line 1, in <module>\n    main()\n'
            '  File "b.py", line 2, in main\n    tf.matmul(x, y)\n'
        )

    def test_pickled_errors_leave_the_op_behind(self):
        op = Op("n", ("/p/a.py", 1, "f", "x"), graph=Graph())
        error = error_interpolation.make_op_error(Graph(op), errors.NOT_FOUND, "bad [[{{node n}}]]")
        other = pickle.loads(pickle.dumps(error))
        assert (other.op, other.node_def, other.message) == (None, "NodeDef of n", error.message)

    def test_synthetic_nodes_have_no_op(self):
        error = error_interpolation.make_op_error(Graph(), errors.INTERNAL, "bad\n\t [[{{node _retval_x_0_0}}]]")
        assert error.op is None and error.node_def is None and str(error) == "bad\n\t [[{{node _retval_x_0_0}}]]"

    def test_gradients_show_the_original_op_and_elide_what_is_common(self):
        common = [("/p/a.py", i, "f", f"line{i}") for i in range(5)]
        original = Op("n", *common, ("/p/a.py", 50, "g", "original"))
        op = Op("grad/n", *common, ("/p/a.py", 60, "h", "gradient"), _original_op=original)
        text = error_interpolation.original_stack_trace(op)
        first, second = text.split("\n...which was originally created as op 'n', defined at:\n")
        assert first.count("File") == 6 and "gradient" in first
        assert second == (
            '  File "a.py", line 0, in f\n    line0\n'
            "[elided 3 identical lines from previous traceback]\n"
            '  File "a.py", line 4, in f\n    line4\n'
            '  File "a.py", line 50, in g\n    original\n'
        )

    def test_source_lines_are_looked_up_when_frames_lack_them(self):
        text = error_interpolation.original_stack_trace(Op("n", (__file__, 1, "f")))
        assert '"""Exception classes, and the conversion of runtime messages' in text

    def test_hint_about_layouts(self):
        error = error_interpolation.make_op_error(None, errors.UNIMPLEMENTED, "x only supports NHWC tensor format")
        assert error.message.endswith("session_config.graph_options.rewrite_options.disable_meta_optimizer = True")


def test_no_warnings_at_construction():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        errors.AbortedError(None, None, "text")
