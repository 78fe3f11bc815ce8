-- The composer of exercise videos.
select ship_permission('exercises.compose', 'Compose videos of exercises from filmed pieces', '{admin,specialist}');
