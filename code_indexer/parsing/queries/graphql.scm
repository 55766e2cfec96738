; Definitions
(object_type_definition (name) @name) @definition.type
(input_object_type_definition (name) @name) @definition.type
(union_type_definition (name) @name) @definition.type
(scalar_type_definition (name) @name) @definition.type
(interface_type_definition (name) @name) @definition.interface
(enum_type_definition (name) @name) @definition.enum
(enum_value_definition (enum_value (name) @name)) @definition.constant
(directive_definition (name) @name) @definition.macro
(fields_definition (field_definition (name) @name) @definition.field)
(input_fields_definition (input_value_definition (name) @name) @definition.field)
(object_type_extension (name) @name) @scope
(operation_definition (name) @name) @definition.function
(fragment_definition (fragment_name (name) @name)) @definition.function
(description (string_value) @doc)

; References
(named_type (name) @reference.type)
(implements_interfaces (named_type (name) @reference.inherit))
(directive (name) @reference.call)
(fragment_spread (fragment_name (name) @reference.call))
(selection (field (name) @reference.member))
