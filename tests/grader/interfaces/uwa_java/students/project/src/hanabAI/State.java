package hanabAI;

import java.util.*;

/** as it lay in the project */
public class State {
  this is not Java at all
}
