-- The id of an uploaded video at a video host of its own: its webhook names nothing else.
alter table exercises add column video_host_reference text;
