"""``types`` as in Python 2: with names for the builtin types, of which a text is one."""

import types
from types import *  # noqa: F403 - this module extends it
from typing import Final

BooleanType: Final = bool
BufferType: Final = memoryview
ClassType: Final = type
ComplexType: Final = complex
DictProxyType: Final = types.MappingProxyType
DictType: Final = dict
DictionaryType: Final = dict
FloatType: Final = float
InstanceType: Final = object
IntType: Final = int
ListType: Final = list
LongType: Final = int
ObjectType: Final = object
SliceType: Final = slice
StringType: Final = str
StringTypes: Final = (str,)
TupleType: Final = tuple
TypeType: Final = type
UnboundMethodType: Final = types.FunctionType
UnicodeType: Final = str
XRangeType: Final = range

__all__ = [name for name in dir() if name.endswith(("Type", "Types"))]
