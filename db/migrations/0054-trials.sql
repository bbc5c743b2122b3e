-- Runs without an account, counted per UTC day: of an address, of the networks around it, and of all together.
CREATE TABLE trial_days (
  day TEXT NOT NULL,
  bucket TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (day, bucket)
);
