-- The tools that a server lists in a form that breaks the protocol, as JSON: their number, and names with reasons. Null if there is
-- none, or if the list was stored by a version that did not know them.
ALTER TABLE connections ADD COLUMN tools_left_out TEXT;
