-- Waits until whoever writes words by the rules of before 0034 has committed; servers of the version before may run. Those that come
-- then go by the new ones, and what these have written is there for 0036. A transaction of its own, which lets them go on at once.
lock table excerpts in share mode;
