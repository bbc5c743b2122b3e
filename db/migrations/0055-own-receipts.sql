-- The receipts of a user, newest first: their ids ascend with time.
CREATE INDEX receipts_of_user ON receipts (user_id, id);
