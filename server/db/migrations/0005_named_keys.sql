-- What a key is for, in the words of who made it, and when it was last used (to the minute).
alter table api_keys add column name text;
alter table api_keys add column last_used_at timestamptz(3);
