; Definitions
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(record_declaration "struct" name: (identifier) @name) @definition.struct
(struct_declaration name: (identifier) @name) @definition.struct
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.constant
(delegate_declaration name: (identifier) @name) @definition.type
(namespace_declaration name: (_) @name) @definition.namespace
(method_declaration name: (identifier) @name) @definition.method
(local_function_statement name: (identifier) @name) @definition.function
(constructor_declaration name: (identifier) @name) @definition.constructor
(operator_declaration "operator" _ @name . parameters: (_)) @definition.method
(conversion_operator_declaration "operator" @sign type: (_) @name) @definition.method
(destructor_declaration "~" @sign name: (identifier) @name) @definition.method
(indexer_declaration "this" @name) @definition.property
(property_declaration name: (identifier) @name) @definition.property
(event_declaration name: (identifier) @name) @definition.property
(event_field_declaration (variable_declaration
  (variable_declarator name: (identifier) @name))) @definition.property
(field_declaration (variable_declaration
  (variable_declarator name: (identifier) @name))) @definition.field
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.property))

; Imports
(using_directive) @import
(using_directive [(identifier) (qualified_name)] @import.module .)
(using_directive name: (identifier) @import.alias)
(file_scoped_namespace_declaration name: (_) @package)

; Names bound inside methods
[(method_declaration) (constructor_declaration) (local_function_statement) (lambda_expression)
 (anonymous_method_expression) (accessor_declaration) (indexer_declaration) (operator_declaration)
 (conversion_operator_declaration) (block) (for_statement) (foreach_statement) (catch_clause)
 (using_statement) (switch_section) (query_expression) (class_declaration) (interface_declaration)
 (struct_declaration)] @local.scope
(method_declaration parameters: (parameter_list (parameter name: (identifier) @binding)))
(method_declaration parameters: (parameter_list name: (identifier) @binding))
(constructor_declaration parameters: (parameter_list (parameter name: (identifier) @binding)))
(local_function_statement parameters: (parameter_list (parameter name: (identifier) @binding)))
(indexer_declaration parameters: (bracketed_parameter_list (parameter name: (identifier) @binding)))
(operator_declaration parameters: (parameter_list (parameter name: (identifier) @binding)))
(conversion_operator_declaration parameters: (parameter_list (parameter name: (identifier) @binding)))
(delegate_declaration parameters: (parameter_list (parameter name: (identifier) @ignore)))
(class_declaration (parameter_list (parameter name: (identifier) @binding)))
(struct_declaration (parameter_list (parameter name: (identifier) @binding)))
(recursive_pattern name: (identifier) @binding)
(tuple_pattern name: (identifier) @binding)
(from_clause name: (identifier) @binding)
(join_clause . (identifier) @binding)
(let_clause . (identifier) @binding)
(type_parameter_constraints_clause . (identifier) @ignore)
(subpattern . (identifier) @reference.member)
(lambda_expression parameters: (parameter_list (parameter name: (identifier) @binding)))
(lambda_expression parameters: (implicit_parameter) @binding)
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @binding)))
(for_statement (variable_declaration (variable_declarator name: (identifier) @binding)))
(using_statement (variable_declaration (variable_declarator name: (identifier) @binding)))
(foreach_statement left: (identifier) @binding)
(catch_declaration name: (identifier) @binding)
(declaration_pattern name: (identifier) @binding)
(declaration_expression name: (identifier) @binding)
(type_parameter name: (identifier) @binding)

; References
(identifier) @reference
(argument name: (identifier) @ignore)
(labeled_statement . (identifier) @ignore)
(base_list (identifier) @reference.inherit)
(base_list (generic_name (identifier) @reference.inherit))
(base_list (primary_constructor_base_type type: (identifier) @reference.inherit))
(base_list (primary_constructor_base_type type: (generic_name (identifier) @reference.inherit)))
(base_list (qualified_name name: (identifier) @reference.inherit))
(object_creation_expression type: (identifier) @reference.call)
(object_creation_expression type: (generic_name (identifier) @reference.call))
(object_creation_expression type: (qualified_name name: (identifier) @reference.call))
(invocation_expression function: (generic_name (identifier) @reference.call))
(invocation_expression function: (member_access_expression name: (generic_name (identifier) @reference.call)))
(attribute name: (identifier) @reference.type)
(type_argument_list (identifier) @reference.type)
(parameter type: (identifier) @reference.type)
(variable_declaration type: (identifier) @reference.type)
(property_declaration type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(generic_name (identifier) @reference.type)
