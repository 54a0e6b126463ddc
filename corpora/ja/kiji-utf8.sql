--
-- PostgreSQL database dump
--
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
COMMENT ON TABLE public.kiji IS 'https://example.jp/表';
COPY public.kiji (id, honbun, settei) FROM stdin;
1	記事：https://example.jp/記事/1。\nC:\\temp と http://www.example.jp/戻る	\N
2	<p><a href="/関連?ページ=2">関連</a></p>	O:8:"stdClass":1:{s:4:"urls";a:2:{i:0;s:24:"https://例え.jp/設定";i:1;s:33:"s:25:"https://example.jp/中身";";}}
\.
CREATE FUNCTION f() RETURNS text AS $body$ SELECT 'https://example.jp/関数' $body$ LANGUAGE sql;
INSERT INTO public.kiji VALUES (3, E'日本\'語 https://example.jp/\u8868', 'C:\');
