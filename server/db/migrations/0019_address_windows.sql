-- What one address asked with one publishable key, within that key's window of a minute. Addresses stand there as keyed
-- hashes, and for minutes only. Empty unless PULLQUOTE_ADDRESS_SHARE is set.
create unlogged table address_windows (
  key_id uuid not null references api_keys (id) on delete cascade,
  address bytea not null,
  -- Equal to rate_windows.started_at while it counts.
  window_started_at timestamptz not null,
  requests integer not null,
  primary key (key_id, address)
) with (fillfactor = 50);
create index address_windows_by_age on address_windows (window_started_at);
