; Definitions
(function_definition name: (word) @name) @definition.function

; Imports
(command name: (command_name (word) @keyword) argument: [(word) (string) (raw_string)] @import.module) @import.keyword

; References
(command_name (word) @reference.call)
(command name: (command_name (word) @keyword) . argument: (word) @reference.argument)
(variable_name) @reference
(declaration_command (variable_assignment name: (variable_name) @ignore))
(for_statement variable: (variable_name) @binding)

; Names bound inside functions
(function_definition) @local.scope
(declaration_command "local" (variable_assignment name: (variable_name) @binding))
(declaration_command "local" (variable_name) @binding)

; depth: 2
(variable_assignment name: (variable_name) @name) @definition.variable
(command (variable_assignment) @definition.void)
(declaration_command "local" (variable_assignment) @definition.void)
