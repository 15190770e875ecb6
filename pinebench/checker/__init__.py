"""Checks a parsed script: resolves every name, infers the type of every expression, and reports TradingView's errors
and warnings."""

# The imports below tell type checkers what the face loads; nothing here uses them.
# pyright: reportUnusedImport=false
from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.checker.argument_text import path_of
    from pinebench.checker.bound import (
        BoundArgument,
        BoundCall,
        BuiltinCall,
        CallSite,
        ConstructorCall,
        CopyCall,
        LibraryCall,
        UserCall,
    )
    from pinebench.checker.builtins import ParameterSpec, Signature, methods, signature, special_values, value_type
    from pinebench.checker.constants import MATH, BuiltinConstant, NotConstant, Value, literal_value
    from pinebench.checker.effects import ScriptEffects
    from pinebench.checker.expression_probe import Probe, probe
    from pinebench.checker.folders import LibraryFolders, known_libraries
    from pinebench.checker.hints import in_another_namespace, owners_of_method
    from pinebench.checker.names import Symbol
    from pinebench.checker.one_check import LibrarySource
    from pinebench.checker.own_versions import OwnVersions, own_version, own_version_names, own_version_numbers
    from pinebench.checker.program import NamedCall, Program, check
    from pinebench.checker.program_opening import open_changed, open_program, read_script
    from pinebench.checker.script import CHECKED_VERSION, MOST_OF_A_PLOT
    from pinebench.checker.skippable_parts import skippable
    from pinebench.checker.symbols import (
        EnumSymbol,
        FieldSymbol,
        Frame,
        FunctionSymbol,
        ImportSymbol,
        NameBindings,
        ResolvedCall,
        TypeSymbol,
        VariableSymbol,
    )
    from pinebench.checker.trial import findings_after
    from pinebench.checker.type_matching import accepts
    from pinebench.checker.types import (
        BOOL,
        COLLECTIONS,
        COLOR,
        CONST,
        FLOAT,
        INPUT,
        INT,
        NA,
        OBJECTS,
        SCALARS,
        SERIES,
        SIMPLE,
        STRING,
        TYPE_KEYWORDS,
        UNKNOWN_BASE,
        VOID,
        Base,
        NamedType,
        Type,
        assignable,
        display,
    )

MODULES = ("spelling",)
"""The modules that other rooms import whole."""
NAMES = {
    "argument_text": "path_of",
    "bound": "BoundArgument BoundCall BuiltinCall CallSite ConstructorCall CopyCall LibraryCall UserCall",
    "builtins": "ParameterSpec Signature methods signature special_values value_type",
    "one_check": "LibrarySource",
    "constants": "MATH BuiltinConstant NotConstant Value literal_value",
    "effects": "ScriptEffects",
    "folders": "LibraryFolders known_libraries",
    "hints": "in_another_namespace owners_of_method",
    "type_matching": "accepts",
    "names": "Symbol",
    "program_opening": "open_changed open_program read_script",
    "own_versions": "OwnVersions own_version own_version_names own_version_numbers",
    "expression_probe": "Probe probe",
    "program": "NamedCall Program check",
    "skippable_parts": "skippable",
    "script": "CHECKED_VERSION MOST_OF_A_PLOT",
    "symbols": """
        EnumSymbol FieldSymbol Frame FunctionSymbol ImportSymbol NameBindings ResolvedCall TypeSymbol VariableSymbol
    """,
    "trial": "findings_after",
    "types": """
        BOOL COLLECTIONS COLOR CONST FLOAT INPUT INT NA OBJECTS SCALARS SERIES SIMPLE STRING TYPE_KEYWORDS
        UNKNOWN_BASE VOID Base NamedType Type assignable display
    """,
}
"""The names that other rooms import from here, by the module that defines them."""

__getattr__ = face(__name__, NAMES)
