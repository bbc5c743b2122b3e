-- What each migration said when it was applied, so that one which was edited afterwards is found. NULL where nobody noted it.
ALTER TABLE schema_migrations ADD COLUMN digest TEXT;
