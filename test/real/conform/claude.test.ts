import { conforms } from './conforms.ts';

conforms('claude');
