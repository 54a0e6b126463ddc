-- MySQL dump 10.13  Distrib 5.7.44, for Linux (x86_64)
--
-- Host: localhost    Database: sklep
/*!40101 SET NAMES latin2 */;
# zrzut ze strony http://admin.example.pl/zrzut
DROP TABLE IF EXISTS `opcje`;
CREATE TABLE `opcje` (`nazwa` varchar(64) DEFAULT 'http', `warto¶æ` longtext);
INSERT INTO `opcje` VALUES ('adres','http://sklep.example.pl'),('menu','a:2:{s:6:\"strona\";s:45:\"http://sklep.example.pl/ksi%B1%BFki?sort=cena\";s:4:\"opis\";s:99:\"<p>Nowe <a href=\"http://sklep.example.pl/lodki\">lodki</a> na http://www.zagle.example.pl/wiosna</p>\";}'),('autor','Sienkiewicz\'s, zob. http://pl.example.org/wiki/£ód¼.'),('dane',_binary 'http://plik.example.pl/a\0b'),('json','{\"url\":\"http:\\/\\/sklep.example.pl\\/ko\\u015b\\u0107\"}'),('nic',NULL),('liczba',12.50);
