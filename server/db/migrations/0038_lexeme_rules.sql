-- By which rules the lexemes of excerpts were made (server/db/lexeme-rules.ts). Nobody knows of those that are there: the start reads
-- them again, once.
alter table installation add column lexeme_rules text;
