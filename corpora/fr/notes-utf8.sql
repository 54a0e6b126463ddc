PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "notes" (id INTEGER PRIMARY KEY, texte TEXT);
/* Sauvegarde de www.exemple.example/été */
INSERT INTO notes VALUES(1,'L''été : https://www.exemple.example/été, voir aussi "http://exemple.example/à-propos"');
INSERT INTO notes VALUES(2,'C:\dossier\');
INSERT INTO notes VALUES(3,'[{"lien":"https://exemple.example/élève","n":1.0}]');
COMMIT;
