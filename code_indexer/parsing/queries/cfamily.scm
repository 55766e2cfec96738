; Definitions
(function_definition declarator: (_)) @definition.function
(declaration_list (declaration declarator: (function_declarator)) @declaration.function)
(declaration_list (declaration declarator: (pointer_declarator (function_declarator))) @declaration.function)
(declaration_list (declaration declarator: (identifier) @name) @definition.variable)
(declaration_list (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)
(declaration_list (declaration declarator: (init_declarator
  declarator: (array_declarator declarator: (identifier) @name))) @definition.variable)
(declaration_list (declaration declarator: (init_declarator
  declarator: (pointer_declarator (identifier) @name))) @definition.variable)
(declaration_list (declaration declarator: (init_declarator declarator: (pointer_declarator
  (array_declarator declarator: (identifier) @name)))) @definition.variable)
(declaration_list (declaration declarator: (array_declarator declarator: (identifier) @name)) @definition.variable)
(declaration_list (declaration declarator: (pointer_declarator (identifier) @name)) @definition.variable)
(declaration_list (declaration (storage_class_specifier "extern")) @declaration.variable)
(declaration_list (struct_specifier name: (type_identifier) @name !body) @declaration.struct)
(declaration_list (enum_specifier name: (type_identifier) @name !body) @declaration.enum)
(function_declarator declarator: (identifier) @name)
(function_declarator declarator: (parenthesized_declarator (identifier) @name))
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (pointer_declarator (type_identifier) @name)) @definition.type
(type_definition declarator: (array_declarator declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (type_identifier) @name))) @definition.type
(type_definition declarator: (primitive_type) @name) @definition.type
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator (type_identifier) @name)))) @definition.type
(type_definition declarator: (pointer_declarator (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator (type_identifier) @name))))) @definition.type
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(field_declaration declarator: (field_identifier) @name) @definition.field
(field_declaration declarator: (pointer_declarator (field_identifier) @name)) @definition.field
(field_declaration declarator: (pointer_declarator (pointer_declarator (field_identifier) @name))) @definition.field
(field_declaration declarator: (array_declarator declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (array_declarator declarator: (array_declarator
  declarator: (field_identifier) @name))) @definition.field
(field_declaration declarator: (pointer_declarator (array_declarator
  declarator: (field_identifier) @name))) @definition.field
(field_declaration declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator (field_identifier) @name)))) @definition.field
(field_declaration declarator: (pointer_declarator (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator (field_identifier) @name))))) @definition.field
(field_declaration declarator: (array_declarator declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator (field_identifier) @name))))) @definition.field

; Imports
(preproc_include path: (_) @import.module) @import

; Names bound inside functions
[(function_definition) (compound_statement) (for_statement) (preproc_function_def)] @local.scope
(parameter_declaration declarator: (identifier) @binding)
(declaration declarator: (identifier) @binding)
(init_declarator declarator: (identifier) @binding)
(pointer_declarator declarator: (identifier) @binding)
(array_declarator declarator: (identifier) @binding)
(preproc_params (identifier) @binding)

; References
(identifier) @reference
(field_identifier) @reference.member
(type_identifier) @reference.type
(preproc_def value: (preproc_arg) @macro.body)
(preproc_function_def value: (preproc_arg) @macro.body)

; depth: 1
(declaration declarator: (function_declarator)) @declaration.function
(declaration declarator: (pointer_declarator (function_declarator))) @declaration.function
(declaration declarator: (pointer_declarator (pointer_declarator (function_declarator)))) @declaration.function
(declaration declarator: (identifier) @name) @definition.variable
(declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable
(declaration declarator: (pointer_declarator (identifier) @name)) @definition.variable
(declaration
  declarator: (init_declarator declarator: (pointer_declarator (identifier) @name))) @definition.variable
(declaration declarator: (array_declarator declarator: (identifier) @name)) @definition.variable
(declaration
  declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @definition.variable
(declaration declarator: (pointer_declarator (array_declarator
  declarator: (identifier) @name))) @definition.variable
(declaration declarator: (init_declarator declarator: (pointer_declarator (array_declarator
  declarator: (identifier) @name)))) @definition.variable
(declaration declarator: (array_declarator declarator: (array_declarator
  declarator: (identifier) @name))) @definition.variable
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (array_declarator
  declarator: (identifier) @name)))) @definition.variable
(declaration declarator: (init_declarator declarator: (pointer_declarator (pointer_declarator
  (identifier) @name)))) @definition.variable
(declaration declarator: (init_declarator declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator (identifier) @name))))) @definition.variable
(declaration declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator (identifier) @name))) @definition.variable)
(struct_specifier name: (type_identifier) @name !body) @declaration.struct
(union_specifier name: (type_identifier) @name !body) @declaration.struct
(enum_specifier name: (type_identifier) @name !body) @declaration.enum
(declaration (storage_class_specifier "extern")) @declaration.variable
