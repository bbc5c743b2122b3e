-- What a challenge may be used for. All null: to sign in. An account without an operation: one request that the
-- specification lists as sensitive. With operation and target: exactly that request.
ALTER TABLE challenges ADD COLUMN user_id TEXT REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE challenges ADD COLUMN operation TEXT;
ALTER TABLE challenges ADD COLUMN target TEXT;
