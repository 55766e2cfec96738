; Definitions
(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @definition.function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @definition.function
(assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition) .)) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name) .)
  (expression_list . value: (function_definition) .)) @definition.function
(table_constructor (field name: (identifier) @name value: (function_definition)) @definition.function)

; Imports
(function_call name: (identifier) @keyword arguments: (arguments (string content: (string_content) @import.module))) @import.keyword
(assignment_statement (variable_list . name: (identifier) @import.alias .)
  (expression_list . value: (function_call
    name: (identifier) @keyword arguments: (arguments (string))) .)) @import.keyword
(assignment_statement (variable_list . name: (identifier) @import.alias .)
  (expression_list . value: (dot_index_expression
    table: (function_call name: (identifier) @keyword arguments: (arguments (string)))
    field: (identifier) @import.name) .)) @import.keyword

; Names bound inside functions
[(function_declaration) (function_definition) (block) (for_statement)] @local.scope
(parameters name: (identifier) @binding)
(block (variable_declaration (assignment_statement (variable_list name: (identifier) @binding))))
(variable_declaration (variable_list name: (identifier) @binding))
(for_numeric_clause name: (identifier) @binding)
(for_generic_clause (variable_list name: (identifier) @binding))

; References
(identifier) @reference
(field name: (identifier) @ignore)
(attribute (identifier) @ignore)
(goto_statement (identifier) @ignore)
(label_statement (identifier) @ignore)
(function_call name: (identifier) @reference.call)
(function_call name: (dot_index_expression field: (identifier) @reference.call))
(function_call name: (method_index_expression method: (identifier) @reference.call))

; depth: 2
(assignment_statement (variable_list name: (identifier) @name)) @definition.variable
