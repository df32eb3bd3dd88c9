-- A text in a language that the sentiment model does not read is neutral, even if many of its words look like English or Spanish ones: what is
-- stored is judged again in the background. Until then the earlier verdict holds.
drop index excerpts_unjudged;
create index excerpts_unjudged on excerpts (project_id, review_id) where verdict is null or verdict_model < 11;
