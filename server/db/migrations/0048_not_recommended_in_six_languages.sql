-- "Nicht zu empfehlen", "geen aanrader", "déçu", "scortese" count as complaints amid whatever praise, as their English counterparts do: what is
-- stored is judged again in the background. Until then the earlier verdict holds.
drop index excerpts_unjudged;
create index excerpts_unjudged on excerpts (project_id, review_id) where verdict is null or verdict_model < 10;
