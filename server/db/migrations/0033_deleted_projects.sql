-- A deleted project is found by nobody from then on, while its reviews go in steps: in one statement they kept everyone on the
-- embedded database waiting for seconds. A server that starts goes on where one ended.
alter table projects add column deleted_at timestamptz(3);
