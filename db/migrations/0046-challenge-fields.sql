-- A challenge covers fields of the request's body. A confirmation for some minutes has the operation `window:<name>` and the session that it
-- is limited to.
ALTER TABLE challenges ADD COLUMN fields TEXT;
ALTER TABLE challenges ADD COLUMN sign_in_id TEXT;
