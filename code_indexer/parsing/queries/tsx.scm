; inherits: typescript

; References
(jsx_opening_element name: (identifier) @reference.component)
(jsx_self_closing_element name: (identifier) @reference.component)
(jsx_closing_element name: (identifier) @reference.closing)
(jsx_attribute (property_identifier) @ignore)
