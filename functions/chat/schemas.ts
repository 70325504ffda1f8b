import * as z from 'zod';
import { uuidField } from '../shared/http/uuid-field.ts';

export const applicationParams = z.object({ id: uuidField('Id of the application') });
