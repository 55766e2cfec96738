; Definitions
(message (message_name (identifier) @name)) @definition.struct
(enum (enum_name (identifier) @name)) @definition.enum
(enum_field . (identifier) @name) @definition.constant
(service (service_name (identifier) @name)) @definition.interface
(rpc (rpc_name (identifier) @name)) @definition.method
(field (type) (identifier) @name) @definition.field
(map_field (type) (identifier) @name) @definition.field
(oneof_field (type) (identifier) @name) @definition.field
(oneof . (identifier) @name) @definition.field

; Imports
(import path: (string) @import.module) @import
(package (full_ident) @package)

; References
(message_or_enum_type (identifier) @reference.type)
(extend (full_ident (identifier) @reference.type))
