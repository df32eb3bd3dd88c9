-- German, French, Spanish, Italian, Dutch and Portuguese complaints are known by their words, too ("seul bémol", "unica pecca"): what is
-- stored is judged again in the background. Until then the earlier verdict holds.
drop index excerpts_unjudged;
create index excerpts_unjudged on excerpts (project_id, review_id) where verdict is null or verdict_model < 9;
