; Definitions
(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(type_declaration . (type_spec) .) @extent
(type_declaration . (type_alias) .) @extent
(method_elem name: (field_identifier) @name) @definition.method
(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (field_identifier) @name) @definition.field)))

; Imports
(import_spec) @import
(import_spec name: (package_identifier) @import.alias)
(import_spec name: (dot) @import.everything)
(import_spec path: (_) @import.module)
(package_clause (package_identifier) @ignore)

; Names bound inside functions
[(function_declaration) (method_declaration) (func_literal) (block) (if_statement) (for_statement)
 (expression_switch_statement) (type_switch_statement) (expression_case) (type_case) (default_case)
 (communication_case) (type_spec) (type_alias)] @local.scope
(parameter_declaration (identifier) @binding)
(variadic_parameter_declaration name: (identifier) @binding)
(type_parameter_declaration (identifier) @binding)
(method_declaration receiver: (parameter_list (parameter_declaration type: (generic_type
  type_arguments: (type_arguments (type_elem (type_identifier) @binding))))))
(method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type (generic_type
  type_arguments: (type_arguments (type_elem (type_identifier) @binding)))))))
(short_var_declaration left: (expression_list (identifier) @binding))
(range_clause left: (expression_list (identifier) @binding))
(receive_statement left: (expression_list (identifier) @binding))
(type_switch_statement alias: (expression_list (identifier) @binding))
(var_spec (identifier) @binding)
(const_spec (identifier) @binding)

; References
[(identifier) (package_identifier)] @reference
(field_identifier) @reference.member
(type_identifier) @reference.type
(field_declaration !name type: (type_identifier) @reference.inherit)
(field_declaration !name type: (qualified_type name: (type_identifier) @reference.inherit))
(field_declaration !name type: (generic_type type: (type_identifier) @reference.inherit))
(interface_type (type_elem (type_identifier) @reference.inherit))
(interface_type (type_elem (qualified_type name: (type_identifier) @reference.inherit)))
(keyed_element . (literal_element (identifier) @reference.member))
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.call))

; depth: 3
(const_spec (identifier) @name) @definition.constant
(var_spec (identifier) @name) @definition.variable
