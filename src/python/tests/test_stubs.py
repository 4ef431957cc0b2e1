import ast
import inspect
import pathlib

import goren

STUBS = ast.parse((pathlib.Path(goren.__file__).parent / "__init__.pyi").read_text())


def definitions():
    for node in STUBS.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name, node, getattr(goren, node.name)
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                # Python documents special methods itself.
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("__"):
                    name = f"{node.name}.{inner.name}"
                    yield name, inner, getattr(getattr(goren, node.name), inner.name)


def test_help_equals_the_stubs():
    count = 0
    for name, node, thing in definitions():
        doc = ast.get_docstring(node)
        if doc is not None:
            assert inspect.getdoc(thing) == doc, name
            count += 1
    assert count > 80
