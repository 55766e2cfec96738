; Definitions
(class_definition name: (identifier) @name) @definition.class
(object_definition name: (identifier) @name) @definition.class
(package_object name: (identifier) @name) @definition.class
(trait_definition name: (identifier) @name) @definition.trait
(enum_definition name: (identifier) @name) @definition.enum
(simple_enum_case name: (identifier) @name) @definition.constant
(full_enum_case name: (identifier) @name) @definition.constant
(type_definition name: (type_identifier) @name) @definition.type
(function_definition name: [(identifier) (operator_identifier)] @name) @definition.function
(function_declaration name: [(identifier) (operator_identifier)] @name) @definition.function
(class_parameter name: (identifier) @name) @definition.field
(given_definition name: (identifier) @name) @definition.variable
(template_body (val_definition pattern: (identifier) @name) @definition.field)
(template_body (var_definition pattern: (identifier) @name) @definition.field)
(template_body (val_definition pattern: (identifiers (identifier) @name)) @definition.field)
(template_body (val_definition pattern: (tuple_pattern (identifier) @name)) @definition.field)
(template_body (val_declaration name: (identifier) @name) @definition.field)

; Imports
(import_declaration) @import.tree
(package_clause name: (package_identifier (identifier) @ignore))

; Names bound inside functions
[(function_definition) (function_declaration) (lambda_expression) (block) (for_expression)
 (case_clause) (extension_definition) (class_definition) (trait_definition) (enum_definition)] @local.scope
(parameter name: (identifier) @binding)
(binding name: (identifier) @binding)
(lambda_expression parameters: (identifier) @binding)
(block (val_definition pattern: (identifier) @binding))
(block (var_definition pattern: (identifier) @binding))
(tuple_pattern (identifier) @binding)
(case_class_pattern pattern: (identifier) @binding)
(typed_pattern pattern: (identifier) @binding)
(case_clause pattern: (identifier) @binding)
(capture_pattern name: (identifier) @binding)
(enumerator . (identifier) @binding)
(type_parameters (identifier) @binding)

; References
(identifier) @reference
(type_identifier) @reference.type
(arguments (assignment_expression left: (identifier) @ignore))
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (identifier) @reference.call))
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (generic_function function: (field_expression field: (identifier) @reference.call)))
(infix_expression operator: (identifier) @reference.call)
(instance_expression (type_identifier) @reference.call)
(instance_expression (generic_type type: (type_identifier) @reference.call))
(extends_clause (type_identifier) @reference.inherit)
(extends_clause (generic_type type: (type_identifier) @reference.inherit))

; depth: 1
(val_definition pattern: (identifier) @name) @definition.variable
(var_definition pattern: (identifier) @name) @definition.variable
