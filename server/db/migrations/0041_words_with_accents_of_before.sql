-- As 0035: waits until whoever writes words by the rules of before 0040 has committed. The start then makes all of them anew
-- (server/db/lexeme-rules.ts).
lock table excerpts in share mode;
