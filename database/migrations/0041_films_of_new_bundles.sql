-- A bundle that is added or completed after plans became active.
create trigger exercise_bundles_request_films after insert or update of asset_version on exercise_bundles
  for each row execute function exercise_bundles_request_films();
