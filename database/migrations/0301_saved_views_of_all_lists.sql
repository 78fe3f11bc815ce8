-- Views of every list of the console can be saved. Their names are in TypeScript, where the lists are
-- (packages/contracts/src/saved-view-lists.ts).
-- Small table: saved_views (one row per member and list).
alter table saved_views drop constraint saved_views_list_check;
alter table saved_views add constraint saved_views_list_check check (list ~ '^[a-z]+(-[a-z]+)*$' and length(list) <= 40);
