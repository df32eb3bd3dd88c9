-- Which export a review came with: exports that share reviews share it, so that a newer one can be compared with what the earlier
-- ones brought. Null for what was pushed, for our own exports, and for what was imported before this column.
alter table reviews add column origin uuid;
