; Definitions
(function_definition name: (word) @name) @definition.function

; Imports
(command name: (command_name (word) @keyword) argument: [(word) (string) (raw_string)] @import.module) @import.keyword

; References
(command_name (word) @reference.call)
(command name: (command_name (word) @keyword) . argument: (word) @reference.argument)
(variable_name) @reference
(declaration_command (variable_assignment name: (variable_name) @ignore))

; depth: 2
(variable_assignment name: (variable_name) @name) @definition.variable
(command (variable_assignment) @definition.void)
(declaration_command "local" (variable_assignment) @definition.void)
