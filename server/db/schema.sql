-- The whole database after all migrations. Written by scripts/dump-schema.ts; a test holds it to the migrations.

create extension if not exists vector;

CREATE OR REPLACE FUNCTION composed(body text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN NORMALIZE(CASE WHEN (body ~ '[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0730-\u074a\u0816-\u082d\u08ca-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u0bcd\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f71-\u0f87\u1037-\u103a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f]{32}'::text) THEN regexp_replace(body, '([\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0730-\u074a\u0816-\u082d\u08ca-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u0bcd\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f71-\u0f87\u1037-\u103a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f]{32})[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0730-\u074a\u0816-\u082d\u08ca-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u0bcd\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f71-\u0f87\u1037-\u103a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f]+'::text, '\1'::text, 'g'::text) ELSE body END);

CREATE OR REPLACE FUNCTION cut_unspaced(body text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(ARRAY(SELECT substr(run.run[1], at.at, 2) AS substr FROM regexp_matches(cut_unspaced.body, '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f]+'::text, 'g'::text) run(run), LATERAL generate_series(1, GREATEST(1, (length(run.run[1]) - 1))) at(at) UNION SELECT one.one[1] AS one FROM regexp_matches(cut_unspaced.body, '[\u3400-\u4dbf\u4e00-\u9fff]'::text, 'g'::text) one(one) UNION SELECT substr(run.run[1], at.at, 3) AS substr FROM regexp_matches(cut_unspaced.body, '[\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]+'::text, 'g'::text) run(run), LATERAL generate_series(1, GREATEST(1, (length(run.run[1]) - 2))) at(at)));

CREATE OR REPLACE FUNCTION int8_vector(raw vector)
 RETURNS vector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT ((array_agg(round(COALESCE((component.x * LEAST(((127)::double precision / NULLIF(size.largest, (0)::double precision)), ((4000)::double precision / NULLIF(size.length, (0)::double precision)))), (0)::double precision)) ORDER BY component.place))::real[])::vector AS array_agg FROM unnest((int8_vector.raw)::real[]) WITH ORDINALITY component(x, place), (SELECT (max(abs(y.y)))::double precision AS largest, sqrt(sum(((y.y)::double precision * y.y))) AS length FROM unnest((int8_vector.raw)::real[]) y(y)) size);

CREATE OR REPLACE FUNCTION queue_for_sentences()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into index_jobs (project_id, review_id, text_version)
  select r.project_id, r.id, r.text_version from reviews r
  where exists (
    select from excerpts e where e.project_id = r.project_id and e.review_id = r.id and char_length(e.text) > 45
  )
  order by r.project_id, r.id
  on conflict (project_id, review_id) do nothing;
end
$function$;

CREATE OR REPLACE FUNCTION round_stored_vectors()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into embedding_models (name, dimensions)
    select name || '/i8', dimensions from embedding_models where name not like '%/i8' order by id
    on conflict (name) do nothing;
  update excerpts e set embedding = int8_vector(e.embedding), embedding_model_id = rounded.id
    from embedding_models raw join embedding_models rounded on rounded.name = raw.name || '/i8'
    where e.embedding_model_id = raw.id;
  update installation i set embedding_model_id = rounded.id
    from embedding_models raw join embedding_models rounded on rounded.name = raw.name || '/i8'
    where i.embedding_model_id = raw.id;
end
$function$;

CREATE OR REPLACE FUNCTION spelled_out(words text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN replace(replace(replace(replace(replace(lower(words), 'ä'::text, 'ae'::text), 'ö'::text, 'oe'::text), 'ü'::text, 'ue'::text), 'ø'::text, 'oe'::text), 'å'::text, 'aa'::text);

CREATE OR REPLACE FUNCTION unaccented_stop_words(config regconfig)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE config WHEN 'danish'::regconfig THEN '{naar,nar,ogsa,ogsaa,pa,paa,saadan,sadan,vaer}'::text[] WHEN 'finnish'::regconfig THEN '{eiva,et,han,hane,heida,heil,heis,heita,keil,keina,keis,keita,kene,keta,ketk,meida,meil,meis,meita,mika,mil,mina,mink,mis,mita,mitk,naide,naih,naiks,nail,naina,nais,naita,nama,niil,niina,niis,niita,seka,siina,siita,sil,sina,sita,taha,taks,tal,tama,tana,tas,tata,teida,teil,teis,teita,tuota}'::text[] WHEN 'french'::regconfig THEN '{a,etaient,etais,etait,etant,ete,eti,etion,eum,eut,fum,fut,mem}'::text[] WHEN 'german'::regconfig THEN '{dass,fuer,fur,koenn,koennt,konn,konnt,uber,ueb,waehrend,wahrend,wuerd,wurd}'::text[] WHEN 'hungarian'::regconfig THEN '{altal,am,arrol,at,azer,azt,azut,bar,bel,egesz,egyeb,el,eleg,eloszor,elot,els,en,epp,es,ezer,fel,igy,is,jo,jol,keress,kereszt,kiv,koz,kozot,legalabb,mag,mar,mas,mier,mig,neh,nehany,nel,o,ok,ossz,ra,saj,szam,tal,teh,tobb,tovab,tovabb,ugy,uj,ujabb,ut,utan,utols,val}'::text[] WHEN 'italian'::regconfig THEN '{avra,avro,far,perc,piu,sar,star}'::text[] WHEN 'norwegian'::regconfig THEN '{a,aa,baad,baae,bad,bae,daa,foer,hja,hjaa,na,naa,naar,nar,ogs,ogsa,pa,paa,sa,saa,saann,sann,sjoel,sjol,vaar,vaer,vaert}'::text[] WHEN 'portuguese'::regconfig THEN '{ate,eram,esta,estav,estiver,estivess,for,foss,ha,hao,houver,houvera,houveri,houvess,ja,nao,sao,ser,sera,seri,so,tamb,ter,tera,teri,tinh,tiver,tivess,voc}'::text[] WHEN 'spanish'::regconfig THEN '{eram,estab,estais,estan,estar,estareis,estari,estariais,esteis,esten,estes,estuvier,estuvies,fuer,fues,habeis,habi,habiais,habr,habreis,habri,habriais,hayais,hubier,hubies,mas,mia,mias,mio,mios,seais,ser,sereis,seri,seriais,si,tambi,tendr,tendreis,tendri,tendriais,teneis,tengais,teni,teniais,tuvier,tuvies}'::text[] WHEN 'swedish'::regconfig THEN '{aat,aen,aer,an,ar,at,da,daa,daer,dar,foer,for,fraan,fran,haer,naagon,naagot,naagr,naer,nagon,nagot,nagr,nar,oev,over,pa,paa,sa,saa,saadan,saadant,sadan,sadant,sjaelv,sjalv,vaar,vaart,varf,varfo}'::text[] WHEN 'turkish'::regconfig THEN '{asl,bazi,birkaç,birsey,cok,cunku,eger,hic,iç,mi,nasil,niç,sey,su,tum}'::text[] ELSE NULL::text[] END;

CREATE OR REPLACE FUNCTION without_accents(words text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (words ~ '[ıøØłŁđĐðÐħĦŧŦßæÆœŒþÞёЁйЙ]'::text) THEN translate(regexp_replace(NORMALIZE(replace(replace(replace(replace(replace(replace(replace(translate(words, 'ıøØłŁđĐðÐħĦŧŦёЁйЙ'::text, 'ioOlLdDdDhHtTеЕѵѵ'::text), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'Æ'::text, 'AE'::text), 'œ'::text, 'oe'::text), 'Œ'::text, 'OE'::text), 'þ'::text, 'th'::text), 'Þ'::text, 'TH'::text), NFD), '[\u0300-\u036f]+'::text, ''::text, 'g'::text), 'ѵ'::text, 'й'::text) ELSE regexp_replace(NORMALIZE(words, NFD), '[\u0300-\u036f]+'::text, ''::text, 'g'::text) END;

CREATE OR REPLACE FUNCTION lexemes_beyond_ascii(config regconfig, body text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (to_tsvector(config, regexp_replace(regexp_replace(body, '\mwi[- \u00a0\u2010-\u2013]?fi\M'::text, 'wifi'::text, 'gi'::text), '\mcheckin(s?)\M'::text, 'check in\1'::text, 'gi'::text)) || CASE WHEN (body !~ '[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386-\u0390\u03aa-\u03b0\u03ca-\u03ce\u0401\u0451\u1e00-\u1fff\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]'::text) THEN ''::tsvector ELSE ts_delete(((strip(to_tsvector(config, regexp_replace(without_accents(body), '[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]+'::text, ''::text, 'g'::text))) || CASE WHEN ((body ~ '[äöüøåÄÖÜØÅ]'::text) AND (((config)::oid = ('danish'::regconfig)::oid) OR ((config)::oid = ('english'::regconfig)::oid) OR ((config)::oid = ('german'::regconfig)::oid) OR ((config)::oid = ('norwegian'::regconfig)::oid) OR ((config)::oid = ('swedish'::regconfig)::oid))) THEN strip(to_tsvector(config, without_accents(spelled_out(body)))) ELSE ''::tsvector END) || CASE WHEN (body ~ '[șȘțȚ]'::text) THEN strip(to_tsvector(config, translate(body, 'șȘțȚ'::text, 'şŞţŢ'::text))) ELSE ''::tsvector END), COALESCE(unaccented_stop_words(config), '{}'::text[])) END);

CREATE OR REPLACE FUNCTION query_lexeme(config regconfig, word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (word ~ '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]'::text) THEN (tsvector_to_array(cut_unspaced(word)))[1] ELSE COALESCE(CASE WHEN (((config)::oid = ('english'::regconfig)::oid) AND (word ~ '[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386-\u0390\u03aa-\u03b0\u03ca-\u03ce\u0401\u0451\u1e00-\u1fff]'::text)) THEN (tsvector_to_array(to_tsvector(config, without_accents(word))))[1] ELSE NULL::text END, (tsvector_to_array(to_tsvector(config, translate(word, 'șț'::text, 'şţ'::text))))[1], ''::text) END;

CREATE OR REPLACE FUNCTION excerpt_lexemes(config regconfig, body text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(body) = char_length(body)) THEN to_tsvector(config, regexp_replace(regexp_replace(regexp_replace(body, '[/\\._@<>&~]'::text, ' '::text, 'g'::text), '\mwi[- ]?fi\M'::text, 'wifi'::text, 'gi'::text), '\mcheckin(s?)\M'::text, 'check in\1'::text, 'gi'::text)) ELSE (lexemes_beyond_ascii(config, regexp_replace(composed(body), '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]+|[/\\._@<>&~]'::text, ' '::text, 'g'::text)) || CASE WHEN (body ~ '[\u1100-\u11ff\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]'::text) THEN cut_unspaced(composed(body)) ELSE ''::tsvector END) END;

create unlogged table address_windows (
  key_id uuid not null,
  address bytea not null,
  window_started_at timestamp with time zone not null,
  requests integer not null,
  constraint address_windows_pkey PRIMARY KEY (key_id, address)
) with (fillfactor=50);

CREATE INDEX address_windows_by_age ON address_windows USING btree (window_started_at);

create table api_keys (
  id uuid not null default gen_random_uuid(),
  project_id uuid not null,
  env text not null,
  kind text not null,
  key_hash bytea not null,
  hint text not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  name text,
  last_used_at timestamp(3) with time zone,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_env_check CHECK ((env = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint api_keys_key_hash_check CHECK ((length(key_hash) = 32)),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['secret'::text, 'publishable'::text]))),
  constraint api_keys_key_hash_key UNIQUE (key_hash)
);

CREATE INDEX api_keys_project ON api_keys USING btree (project_id);

create table console_links (
  id uuid not null default gen_random_uuid(),
  project_id uuid,
  token_hash bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  constraint console_links_pkey PRIMARY KEY (id),
  constraint console_links_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint console_links_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX console_links_project ON console_links USING btree (project_id);

create table console_sessions (
  id uuid not null default gen_random_uuid(),
  link_id uuid not null,
  cookie_hash bytea not null,
  page_hash bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  seen_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  constraint console_sessions_pkey PRIMARY KEY (id),
  constraint console_sessions_cookie_hash_check CHECK ((length(cookie_hash) = 32)),
  constraint console_sessions_page_hash_check CHECK ((length(page_hash) = 32)),
  constraint console_sessions_cookie_hash_key UNIQUE (cookie_hash)
);

CREATE INDEX console_sessions_link ON console_sessions USING btree (link_id);

create table embedding_models (
  id integer generated always as identity not null,
  name text not null,
  dimensions integer not null,
  created_at timestamp with time zone not null default now(),
  constraint embedding_models_pkey PRIMARY KEY (id),
  constraint embedding_models_dimensions_check CHECK ((dimensions > 0)),
  constraint embedding_models_name_key UNIQUE (name)
);

create table embedding_usage (
  day date not null,
  texts bigint not null,
  constraint embedding_usage_pkey PRIMARY KEY (day)
);

create table environments (
  project_id uuid not null,
  env text not null,
  revision bigint not null default 0,
  review_count integer not null default 0,
  stamp uuid not null default gen_random_uuid(),
  constraint environments_pkey PRIMARY KEY (project_id, env),
  constraint environments_env_check CHECK ((env = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint environments_review_count_check CHECK ((review_count >= 0))
);

create table excerpts (
  project_id uuid not null,
  review_id uuid not null,
  ordinal integer not null,
  id uuid not null,
  env text not null,
  start_offset integer not null,
  end_offset integer not null,
  text text not null,
  search_config text not null,
  lexemes tsvector not null,
  embedding_model_id integer not null,
  embedding vector not null,
  rating smallint,
  sentiment text,
  hidden boolean not null,
  source text not null,
  occurred_at timestamp(3) with time zone,
  sentences vector[],
  sentence_starts integer[],
  withheld boolean not null default false,
  verdict text,
  verdict_model smallint not null default 1,
  constraint excerpts_pkey PRIMARY KEY (project_id, review_id, ordinal),
  constraint excerpts_verdict_check CHECK ((verdict = ANY (ARRAY['positive'::text, 'neutral'::text, 'negative'::text])))
) with (toast_tuple_target=8160);

CREATE INDEX excerpts_environment ON excerpts USING btree (project_id, env, embedding_model_id, search_config);
CREATE INDEX excerpts_newest ON excerpts USING btree (project_id, env, occurred_at DESC NULLS LAST, review_id DESC) WHERE ((ordinal = 0) AND (NOT hidden));
CREATE INDEX excerpts_unjudged ON excerpts USING btree (project_id, review_id) WHERE ((verdict IS NULL) OR (verdict_model < 11));

create table hidden_excerpts (
  project_id uuid not null,
  review_id uuid not null,
  words_hash bytea not null,
  env text not null,
  words text not null,
  hidden_at timestamp(3) with time zone not null default now(),
  constraint hidden_excerpts_pkey PRIMARY KEY (project_id, review_id, words_hash),
  constraint hidden_excerpts_env_check CHECK ((env = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint hidden_excerpts_words_hash_check CHECK ((length(words_hash) = 32))
);

create table import_reports (
  project_id uuid not null,
  id uuid not null,
  env text not null,
  created_at timestamp(3) with time zone not null default now(),
  errors_csv bytea not null,
  constraint import_reports_pkey PRIMARY KEY (project_id, id)
);

CREATE INDEX import_reports_by_age ON import_reports USING btree (created_at);

create table index_jobs (
  project_id uuid not null,
  review_id uuid not null,
  text_version integer not null,
  attempts integer not null default 0,
  run_at timestamp with time zone not null default now(),
  lease_token uuid,
  leased_until timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null default now(),
  claimed_with integer not null default 0,
  abandoned integer not null default 0,
  faults integer not null default 0,
  set_aside_at timestamp with time zone,
  constraint index_jobs_pkey PRIMARY KEY (project_id, review_id)
) with (fillfactor=70);

CREATE INDEX index_jobs_due ON index_jobs USING btree (project_id, run_at) WHERE (set_aside_at IS NULL);

create table installation (
  only_row boolean not null default true,
  cursor_secret bytea not null default decode(replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text), 'hex'::text),
  embedding_model_id integer,
  created_at timestamp with time zone not null default now(),
  lexeme_rules text,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_only_row_check CHECK (only_row)
);

create table projects (
  id uuid not null default gen_random_uuid(),
  name text not null,
  plan text not null default 'free'::text,
  similarity_floor double precision not null default 0.66,
  min_rating smallint not null default 4,
  allowed_origins text[] not null default '{}'::text[],
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  settings_revision integer not null default 0,
  excerpts text not null default 'all'::text,
  deleted_at timestamp(3) with time zone,
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_excerpts_check CHECK ((excerpts = ANY (ARRAY['all'::text, 'no_complaints'::text]))),
  constraint projects_min_rating_check CHECK (((min_rating >= 1) AND (min_rating <= 5))),
  constraint projects_name_check CHECK ((name <> ''::text)),
  constraint projects_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'paid'::text]))),
  constraint projects_similarity_floor_check CHECK (((similarity_floor >= (0)::double precision) AND (similarity_floor <= (1)::double precision))),
  constraint projects_name_key UNIQUE (name)
);

create table query_insights (
  project_id uuid not null,
  env text not null,
  day date not null,
  query text not null,
  searches integer not null,
  empty integer not null,
  fallbacks integer not null,
  as_second integer not null default 0,
  constraint query_insights_pkey PRIMARY KEY (project_id, env, day, query),
  constraint query_insights_env_check CHECK ((env = ANY (ARRAY['live'::text, 'test'::text])))
);

CREATE INDEX query_insights_by_day ON query_insights USING btree (day);

create table query_usage (
  project_id uuid not null,
  month date not null,
  uncached bigint not null,
  constraint query_usage_pkey PRIMARY KEY (project_id, month)
);

create unlogged table rate_windows (
  key_id uuid not null,
  started_at timestamp with time zone not null,
  requests integer not null,
  constraint rate_windows_pkey PRIMARY KEY (key_id)
) with (fillfactor=50);

create table reviews (
  project_id uuid not null,
  id uuid not null default gen_random_uuid(),
  env text not null,
  source text not null,
  external_id text not null,
  rating smallint,
  text text not null,
  text_version integer not null default 1,
  author_name text,
  author_avatar_url text,
  occurred_at timestamp(3) with time zone,
  url text,
  language text,
  metadata jsonb not null default '{}'::jsonb,
  sentiment text,
  sentiment_source text,
  hidden_at timestamp(3) with time zone,
  status text not null default 'indexing'::text,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  visibility_set_by text,
  origin uuid,
  constraint reviews_pkey PRIMARY KEY (project_id, id),
  constraint reviews_check CHECK (((sentiment IS NULL) = (sentiment_source IS NULL))),
  constraint reviews_env_check CHECK ((env = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint reviews_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
  constraint reviews_sentiment_check CHECK ((sentiment = ANY (ARRAY['positive'::text, 'neutral'::text, 'negative'::text]))),
  constraint reviews_sentiment_source_check CHECK ((sentiment_source = ANY (ARRAY['rating'::text, 'model'::text]))),
  constraint reviews_source_check CHECK ((source = ANY (ARRAY['google'::text, 'yelp'::text, 'facebook'::text, 'trustpilot'::text, 'custom'::text]))),
  constraint reviews_status_check CHECK ((status = ANY (ARRAY['indexing'::text, 'indexed'::text]))),
  constraint reviews_project_id_env_source_external_id_key UNIQUE (project_id, env, source, external_id)
);

CREATE INDEX reviews_newest ON reviews USING btree (project_id, env, occurred_at DESC NULLS LAST, id DESC);
CREATE INDEX reviews_waiting ON reviews USING btree (project_id, env, occurred_at DESC NULLS LAST, id DESC) WHERE (status = 'indexing'::text);

create table schema_migrations (
  name text not null,
  applied_at timestamp(3) with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table search_changes (
  project_id uuid not null,
  env text not null,
  revision bigint not null,
  review_ids uuid[] not null,
  stamp uuid,
  constraint search_changes_pkey PRIMARY KEY (project_id, env, revision)
);

alter table address_windows add constraint address_windows_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE;
alter table api_keys add constraint api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table console_links add constraint console_links_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table console_sessions add constraint console_sessions_link_id_fkey FOREIGN KEY (link_id) REFERENCES console_links(id) ON DELETE CASCADE;
alter table environments add constraint environments_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table excerpts add constraint excerpts_embedding_model_id_fkey FOREIGN KEY (embedding_model_id) REFERENCES embedding_models(id);
alter table excerpts add constraint excerpts_project_id_review_id_fkey FOREIGN KEY (project_id, review_id) REFERENCES reviews(project_id, id) ON DELETE CASCADE;
alter table hidden_excerpts add constraint hidden_excerpts_project_id_review_id_fkey FOREIGN KEY (project_id, review_id) REFERENCES reviews(project_id, id) ON DELETE CASCADE;
alter table import_reports add constraint import_reports_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table index_jobs add constraint index_jobs_project_id_review_id_fkey FOREIGN KEY (project_id, review_id) REFERENCES reviews(project_id, id) ON DELETE CASCADE;
alter table installation add constraint installation_embedding_model_id_fkey FOREIGN KEY (embedding_model_id) REFERENCES embedding_models(id);
alter table query_insights add constraint query_insights_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table query_usage add constraint query_usage_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table rate_windows add constraint rate_windows_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE;
alter table reviews add constraint reviews_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table search_changes add constraint search_changes_environment_fkey FOREIGN KEY (project_id, env) REFERENCES environments(project_id, env) ON DELETE CASCADE;
