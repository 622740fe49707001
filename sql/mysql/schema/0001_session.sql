-- The settings under which every other file is run. Tables take the collation from the database, and a routine
-- remembers all of them for as long as it lives: so this is run first in each session that installs anything.
SET NAMES utf8mb4;

-- Identifiers are compared by bytes, trailing spaces included. MySQL and MariaDB have a collation for that, each its
-- own and unknown to the other. It is the database's, so no other file names one. (Binary strings would do without a
-- collation, but would make every document that is put together from them binary too, and unreadable in a client.)
ALTER DATABASE CHARACTER SET utf8mb4 /*!80000 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */;

SET collation_connection = @@collation_database;

-- What a routine does is strict, whatever its caller's session is. Only the caller's values are fitted into parameters
-- under the caller's mode: so those of the transitions are wider than any name, and none is cut into another.
SET sql_mode = CONCAT_WS(
    ',', 'ONLY_FULL_GROUP_BY', 'STRICT_TRANS_TABLES', 'STRICT_ALL_TABLES', 'NO_ZERO_IN_DATE', 'NO_ZERO_DATE',
    'ERROR_FOR_DIVISION_BY_ZERO', 'NO_ENGINE_SUBSTITUTION'
);

SET time_zone = '+00:00';
