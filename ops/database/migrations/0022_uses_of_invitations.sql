-- Games may be spread over several machines, by the id that comes first in every key; a reference from table to table
-- would have to be taken away for that. The service deletes the uses of an invitation with it.
ALTER TABLE invitation_use DROP CONSTRAINT invitation_use_subject_invitation_fkey;
