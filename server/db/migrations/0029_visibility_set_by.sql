-- Who hid or showed a review last: 'hand', which stays, or 'file', which a newer export of the vendor's may change. Null where
-- nobody did, and for what was hidden before this column: it stays hidden.
alter table reviews add column visibility_set_by text;
