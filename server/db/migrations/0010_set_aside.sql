-- A review that cannot be indexed is set aside, not claimed for ever. A claim that ends without a word (its server died
-- or was blocked past its lease) counts against the review only when it was claimed alone.
alter table index_jobs
  add column claimed_with integer not null default 0,
  add column abandoned integer not null default 0,
  add column faults integer not null default 0,
  add column set_aside_at timestamptz;
