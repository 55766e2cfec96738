; Definitions
(data_type name: (_) @name) @definition.type
(newtype name: (_) @name) @definition.type
(type_synomym name: (_) @name) @definition.type
(class name: (_) @name) @definition.interface
(data_constructor constructor: (_ name: (constructor) @name)) @definition.constructor
(newtype_constructor name: (constructor) @name) @definition.constructor
(field name: (field_name (variable) @name)) @definition.field
(gadt_constructor name: (constructor) @name) @definition.constructor
(data_constructor constructor: (infix operator: (constructor_operator) @name)) @definition.constructor
(type_family name: (_) @name) @definition.type
(data_family name: (_) @name) @definition.type
(pattern_synonym (equation synonym: (constructor) @name)) @definition.constructor
(pattern_synonym (equation synonym: (apply function: (constructor) @name))) @definition.constructor
(foreign_import signature: (signature name: (variable) @name)) @definition.function
(class_declarations (signature name: (variable) @name) @definition.method)
(class_declarations (signature name: (prefix_id (operator) @name)) @definition.method)
(class_declarations (signature names: (binding_list name: (variable) @name)) @definition.method)
(class_declarations (signature
  names: (binding_list name: (prefix_id (operator) @name))) @definition.method)
(instance patterns: (type_patterns . (name) @name)) @scope
(instance patterns: (type_patterns . (parens type: (apply constructor: (name) @name)))) @scope
(instance_declarations (function name: (variable) @name) @definition.method)
(instance_declarations (function name: (prefix_id (operator) @name)) @definition.method)
(instance_declarations (function (infix operator: (operator) @name)) @definition.method)
(instance_declarations (bind name: (variable) @name) @definition.method)

; Imports
(import) @import
(import module: (module) @import.module)
(import alias: (module) @import.alias)
(import "hiding" @import.everything)
(import_name [(variable) (name)] @import.name)
(export (variable) @ignore)
(header module: (module) @name) @definition.module

; Names bound inside functions
[(function) (lambda) (alternative) (let_in) (do) (list_comprehension)] @local.scope
(patterns (variable) @binding)
(patterns (tuple (variable) @binding))
(patterns (list (variable) @binding))
(patterns (parens (apply argument: (variable) @binding)))
(patterns (as bind: (variable) @binding))
(alternative pattern: (variable) @binding)
(alternative pattern: (apply argument: (variable) @binding))
(local_binds (bind name: (variable) @binding))
(local_binds (function name: (variable) @binding))
(type_params (variable) @ignore)
(class_declarations (function name: (variable) @ignore))
(instance_declarations (function name: (variable) @ignore))
(instance_declarations (bind name: (variable) @ignore))
(do (bind pattern: (variable) @binding))
(let (local_binds (bind name: (variable) @binding)))
(generator pattern: (variable) @binding)
(generator pattern: (apply argument: (variable) @binding))
(generator pattern: (tuple (variable) @binding))
(pattern_guard pattern: (variable) @binding)
(pattern_guard pattern: (apply argument: (variable) @binding))
(do (bind pattern: (tuple (variable) @binding)))
(parens pattern: (infix (variable) @binding))
(function (infix left_operand: (variable) @binding))
(function (infix right_operand: (variable) @binding))

; References
(variable) @reference
(constructor) @reference
(name) @reference.type
(signature name: (variable) @ignore)
(signature names: (binding_list name: (variable) @ignore))
(instance name: (name) @reference.inherit)
(apply function: (variable) @reference.call)
(apply function: (constructor) @reference.call)
(apply function: (qualified id: (variable) @reference.call))

; depth: 2
(function name: (variable) @name) @definition.function
(function name: (prefix_id (operator) @name)) @definition.function
(function (infix operator: [(operator) (infix_id (variable) @name)])) @definition.function
(function (infix operator: (operator) @name)) @definition.function
(bind name: (variable) @name) @definition.function
(bind) @local.scope
