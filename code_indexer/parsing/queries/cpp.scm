; inherits: cfamily

; Definitions
(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.struct
(struct_specifier name: (qualified_identifier name: (template_type name: (type_identifier) @name)) @qualified body: (_)) @definition.struct
(class_specifier name: (qualified_identifier name: (template_type name: (type_identifier) @name)) @qualified body: (_)) @definition.class
(namespace_definition name: (_) @name) @definition.namespace
(declaration_list (class_specifier name: (type_identifier) @name !body) @declaration.class)
(template_declaration (class_specifier name: (type_identifier) @name !body) @declaration.class)
(template_declaration (struct_specifier name: (type_identifier) @name !body) @declaration.struct)
(field_declaration type: (class_specifier name: (type_identifier) @name !body) @declaration.class !declarator)
(field_declaration type: (struct_specifier name: (type_identifier) @name !body) @declaration.struct !declarator)
(namespace_alias_definition name: (namespace_identifier) @name) @definition.namespace
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type
(template_declaration) @extent
(function_declarator declarator: (field_identifier) @name)
(function_declarator declarator: [(destructor_name) (operator_name)] @name)
(function_definition declarator: (operator_cast) @name)
(function_definition declarator: (qualified_identifier name: (operator_cast) @name) @qualified) @definition.function
(function_definition declarator: (qualified_identifier name: (qualified_identifier name: (operator_cast) @name)) @qualified) @definition.function
(field_declaration_list (declaration declarator: (operator_cast) @name) @declaration.method)
(function_declarator declarator: (template_function name: (identifier) @name))
(function_declarator declarator: (qualified_identifier) @qualified)
(function_declarator declarator: (qualified_identifier
  name: [(identifier) (destructor_name) (operator_name) (operator_cast)] @name))
(function_declarator declarator: (qualified_identifier
  name: (template_function name: (identifier) @name)))
(function_declarator declarator: (qualified_identifier name: (qualified_identifier
  name: [(identifier) (destructor_name) (operator_name)] @name)))
(function_declarator declarator: (qualified_identifier name: (qualified_identifier
  name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name))))
(function_declarator declarator: (qualified_identifier name: (qualified_identifier
  name: (qualified_identifier name: (qualified_identifier
    name: [(identifier) (destructor_name) (operator_name)] @name)))))
(field_declaration declarator: (function_declarator
  declarator: [(field_identifier) (destructor_name) (operator_name)])) @declaration.method
(field_declaration declarator: (pointer_declarator (function_declarator
  declarator: [(field_identifier) (operator_name)]))) @declaration.method
(field_declaration declarator: (reference_declarator (function_declarator
  declarator: [(field_identifier) (operator_name)]))) @declaration.method
(field_declaration_list (declaration declarator: (function_declarator)) @declaration.method)
(template_declaration (declaration declarator: (function_declarator)) @declaration.function)
(template_declaration (declaration declarator: (reference_declarator (function_declarator))) @declaration.function)
(declaration_list (declaration declarator: (reference_declarator (function_declarator))) @declaration.function)
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field
(type_definition declarator: (reference_declarator (type_identifier) @name)) @definition.type
; TEST(Suite, Case) {}
(function_definition !type declarator: (function_declarator
  declarator: (identifier) @made.by
  parameters: (parameter_list . (parameter_declaration type: (type_identifier) !declarator) .)))
(function_definition !type declarator: (function_declarator
  declarator: (identifier) @made.by
  parameters: (parameter_list
    . (parameter_declaration type: (type_identifier) !declarator)
    . (parameter_declaration type: (type_identifier) !declarator) .)))

; Imports
(using_declaration (qualified_identifier) @import.path) @import

; Names bound inside functions
[(lambda_expression) (for_range_loop) (catch_clause) (template_declaration)] @local.scope
(reference_declarator (identifier) @binding)
(structured_binding_declarator (identifier) @binding)
(compound_statement (declaration declarator: (function_declarator declarator: (identifier) @binding)))
(optional_parameter_declaration declarator: (identifier) @binding)
(variadic_declarator (identifier) @binding)
(type_parameter_declaration (type_identifier) @binding)
(optional_type_parameter_declaration name: (type_identifier) @binding)
(variadic_type_parameter_declaration (type_identifier) @binding)
(for_range_loop declarator: (identifier) @binding)

; References
(namespace_identifier) @reference
(base_class_clause (type_identifier) @reference.inherit)
(base_class_clause (template_type name: (type_identifier) @reference.inherit))
(base_class_clause (qualified_identifier name: (type_identifier) @reference.inherit))
(base_class_clause (qualified_identifier name: (template_type name: (type_identifier) @reference.inherit)))
(template_function name: (identifier) @reference.call)
(new_expression type: (type_identifier) @reference.call)
(new_expression type: (template_type name: (type_identifier) @reference.call))

; Static members of a class
(declaration_list (declaration declarator: (qualified_identifier name: (identifier) @name) @qualified) @definition.field)
(declaration_list (declaration declarator: (init_declarator
  declarator: (qualified_identifier name: (identifier) @name) @qualified)) @definition.field)

; depth: 1
(declaration declarator: (qualified_identifier name: (identifier) @name) @qualified) @definition.field
(declaration declarator: (init_declarator
  declarator: (qualified_identifier name: (identifier) @name) @qualified)) @definition.field
(declaration declarator: (init_declarator declarator: (array_declarator
  declarator: (qualified_identifier name: (identifier) @name) @qualified))) @definition.field
(declaration declarator: (init_declarator declarator: (pointer_declarator
  declarator: (qualified_identifier name: (identifier) @name) @qualified))) @definition.field
(template_declaration (declaration
  declarator: (qualified_identifier name: (identifier) @name) @qualified) @definition.field)
(template_declaration (declaration declarator: (init_declarator
  declarator: (qualified_identifier name: (identifier) @name) @qualified)) @definition.field)
(class_specifier name: (type_identifier) @name !body) @declaration.class
(declaration declarator: (reference_declarator (function_declarator))) @declaration.function
