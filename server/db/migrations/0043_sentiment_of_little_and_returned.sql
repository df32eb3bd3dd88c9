-- What Spanish, Italian, French, German and Dutch reviews blame ("poco accogliente", "il reso", "à revoir") is blame: what is
-- stored is judged again in the background. Until then the earlier verdict holds.
drop index excerpts_unjudged;
create index excerpts_unjudged on excerpts (project_id, review_id) where verdict is null or verdict_model < 6;
