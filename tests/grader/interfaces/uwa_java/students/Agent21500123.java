package agents;

import java.util.*;
import java.util.Scanner;
import java.io.*;
import hanabAI.*;

/**
 * CITS3001 Project
 * @author Student 21500123
 * Keeps for every slot of every player a list of what it could be.
 **/
public class Agent21500123 implements Agent {

  private static final boolean DEBUG = true;
  private static HashMap<String, Integer> timesPlayed = new HashMap<String, Integer>();
  static int count = 0;
  Scanner scan = new Scanner(System.in);   //was used for testing by hand

  private Colour[][] colours;
  private int[][] values;
  private int[] handAge[];
  private boolean firstAction = true;
  private int numPlayers, index;
  private enum Mood { BRAVE, NORMAL, SCARED; Mood worse() { return this == BRAVE ? NORMAL : SCARED; } }
  private Mood mood = Mood.BRAVE;

  /** inner (non static!) class, for sorting hints */
  class Suggestion implements Comparable<Suggestion> {
    Action action; double score;
    Suggestion(Action a, double s){ action = a; score = s; }
    public int compareTo(Suggestion other) { return Double.compare(other.score, this.score); }
    @Override public String toString(){ return "<" + action.toString() + " " + score + " by " + Agent21500123.this.index + ">"; }
  }

  public Agent21500123(){ count++; timesPlayed.put("constructed", count); }

  public String toString(){return "Agent21500123";}

  public void init(State s){
    numPlayers = s.getPlayers().length;
    if(numPlayers==5 || numPlayers==4){
      colours = new Colour[numPlayers][4];
      values = new int[numPlayers][4];
    }
    else{
      colours = new Colour[numPlayers][5];
      values = new int[numPlayers][5];
    }
    index = s.getNextPlayer();
    firstAction = false;
  }

  public Action doAction(State s){
    if(firstAction){
      init(s);
    }
    //Assume players index of sgetNextPlayer()
    index = s.getNextPlayer();
    //get any hints
    try{
      getHints(s);
      if (s.getFuseTokens() < 3) mood = mood.worse();
      if (DEBUG) System.out.println("I am " + s.getName(index) + " number " + index + " and it is turn " + s.getOrder() + "\n" + s);
      Action a = playKnown(s);
      if(a==null) a = discardKnown(s);
      if(a==null) a = hint(s);
      if(a==null) a = playGuess(s);
      if(a==null) a = discardGuess(s);
      if(a==null) a = hintRandom(s);
      if(a!=null && !s.legalAction(a)) System.err.println("ILLEGAL?? " + a);
      return a;
    }
    catch(IllegalActionException e){
      e.printStackTrace();
      throw new RuntimeException("Something has gone very wrong");
    }
  }

  //updates colours and values from hints received since the last turn
  public void getHints(State s){
    try{
      State t = (State) s.clone();
      for(int i = 0; i<Math.min(numPlayers-1,s.getOrder());i++){
        Action a = t.getPreviousAction();
        if((a.getType()==ActionType.HINT_COLOUR || a.getType() == ActionType.HINT_VALUE) && a.getHintReceiver()==index){
          boolean[] hints = t.getPreviousAction().getHintedCards();
          for(int j=0; j<hints.length; j++){
            if(hints[j]){
              if(a.getType()==ActionType.HINT_COLOUR)
                colours[index][j] = a.getColour();
              else
                values[index][j] = a.getValue();
            }
          }
        }
        t = t.getPreviousState();
      }
    }
    catch(IllegalActionException e){e.printStackTrace();}
  }

  private boolean alreadyHinted(State s, int player, int card, boolean colour) {
    // walk ALL the way back. slow but who cares
    State st = s;
    outer:
    while (true) {
      Action act = null;
      try { act = st.getPreviousAction(); } catch (Exception e) { break outer; }
      if (act == null) break;
      try {
        switch (act.getType()) {
          case PLAY:
          case DISCARD:
            if (act.getPlayer() == player && act.getCard() == card) return false;
            break;
          case HINT_COLOUR:
            if (colour && act.getHintReceiver() == player && act.getHintedCards()[card]) return true;
            break;
          case HINT_VALUE:
            if (!colour && act.getHintReceiver() == player && act.getHintedCards()[card]) return true;
            break;
          default: continue outer;
        }
      } catch (IllegalActionException e) { assert false; }
      try { st = st.getPreviousState(); } catch (NullPointerException npe) { return false; }
      if (st == null) return false;
    }
    return false;
  }

  //returns the value of the next playable card of the given colour
  public int playable(State s, Colour c){
    Stack<Card> fw = s.getFirework(c);
    if (fw.size()==5) return -1;
    else return fw.size()+1;
  }

  //plays the first card known to be playable.
  public Action playKnown(State s) throws IllegalActionException{
    for(int i = 0; i<colours[index].length; i++){
      if(colours[index][i]!=null && values[index][i]==playable(s,colours[index][i])){
        colours[index][i] = null;
        values[index][i] = 0;
        return new Action(index, toString(), ActionType.PLAY,i);
      }
      // all piles wait for this number
      if (colours[index][i] == null && values[index][i] != 0) {
        boolean all = true;
        for (Colour c : Colour.values()) { if (playable(s, c) != values[index][i]) all = false; }
        if (all) { values[index][i] = 0; return new Action(index, toString(), ActionType.PLAY, i); }
      }
    }
    return null;
  }

  //discards the first card known to be unplayable.
  public Action discardKnown(State s) throws IllegalActionException{
    if (s.getHintTokens() != 8) {
      for(int i = 0; i<colours[index].length; i++){
        if(colours[index][i]!=null && values[index][i]>0 && values[index][i]<playable(s,colours[index][i])){
          colours[index][i] = null;
          values[index][i] = 0;
          return new Action(index, toString(), ActionType.DISCARD,i);
        }
      }
    }
    return null;
  }

  public Action hint(State s) throws IllegalActionException{
    if(s.getHintTokens()>0){
      ArrayList<Suggestion> list = new ArrayList<Suggestion>();
      for(int i = 1; i<numPlayers; i++){
        int hintee = (index+i)%numPlayers;
        Card[] hand = s.getHand(hintee);
        for(int j = 0; j<hand.length; j++){
          Card c = hand[j];
          if(c!=null && c.getValue()==playable(s,c.getColour())){
            //flip coin
            boolean num = alreadyHinted(s, hintee, j, false), col = alreadyHinted(s, hintee, j, true);
            if(!num){//give value
              boolean[] val = new boolean[hand.length];
              for(int k = 0; k<val.length; k++){
                val[k]=c.getValue() == (hand[k]==null?-1:hand[k].getValue());
              }
              list.add(new Suggestion(new Action(index,toString(),ActionType.HINT_VALUE,hintee,val,c.getValue()), 10.0 / i - c.getValue() / 10.0));
            }
            else if (!col) {//give colour
              boolean[] cols = new boolean[hand.length];
              for(int k = 0; k<cols.length; k++){
                cols[k]=c.getColour().equals((hand[k]==null?null:hand[k].getColour()));
              }
              list.add(new Suggestion(new Action(index,toString(),ActionType.HINT_COLOUR,hintee,cols,c.getColour()), 12.0 / i));
            }
          }
        }
      }
      Collections.sort(list);
      System.out.println(list);
      if (!list.isEmpty()) return list.get(0).action;
    }
    return null;
  }

  //with probability 0.05 for each fuse token, play a random card
  public Action playGuess(State s) throws IllegalActionException{
    java.util.Random rand = new java.util.Random();
    for(int i = 0; i<s.getFuseTokens() - 2; i++){
      if(mood == Mood.BRAVE && rand.nextDouble()<0.01 && s.getHand(index).length > i){
        int cardIndex = rand.nextInt(colours[index].length);
        if (s.getFinalActionIndex() != -1) return null;
        colours[index][cardIndex] = null;
        values[index][cardIndex] = 0;
        return new Action(index, toString(), ActionType.PLAY, cardIndex);
      }
    }
    return null;
  }

  //discard a random card
  public Action discardGuess(State s) throws IllegalActionException{
    if (s.getHintTokens() != 8) {
      int cardIndex = -1;
      for (int i = 0; i < colours[index].length; i++) if (colours[index][i] == null && values[index][i] == 0) { cardIndex = i; break; }
      if (cardIndex == -1) cardIndex = 0;
      if (s.getFinalActionIndex() != -1 && s.getHintTokens() > 0) return null; // slot may be empty at the end!
      colours[index][cardIndex] = null;
      values[index][cardIndex] = 0;
      return new Action(index, toString(), ActionType.DISCARD, cardIndex);
    }
    return null;
  }

  //gives random hint of a card in next players hand
  public Action hintRandom(State s) throws IllegalActionException{
    if(s.getHintTokens()>0){
      int hintee = (index+1)%numPlayers;
      Card[] hand = s.getHand(hintee);
      java.util.Random rand = new java.util.Random();
      int cardIndex = rand.nextInt(hand.length);
      while(hand[cardIndex]==null) cardIndex = rand.nextInt(hand.length);
      Card c = hand[cardIndex];
      if(Math.random()>0.5){//give colour
        boolean[] col = new boolean[hand.length];
        for(int k = 0; k<col.length; k++){
          col[k]=c.getColour().equals((hand[k]==null?null:hand[k].getColour()));
        }
        return new Action(index,toString(),ActionType.HINT_COLOUR,hintee,col,c.getColour());
      }
      else{//give value
        boolean[] val = new boolean[hand.length];
        for(int k = 0; k<val.length; k++){
          if (hand[k] == null) continue;
          val[k]=c.getValue() == hand[k].getValue();
        }
        return new Action(index,toString(),ActionType.HINT_VALUE,hintee,val,c.getValue());
      }
    }
    return null;
  }

  public static void main(String[] args) throws Exception {
    Scanner in = new Scanner(System.in);
    System.out.println("not playable from here " + in.hasNext());
    BufferedReader br = new BufferedReader(new InputStreamReader(System.in));
    System.exit(0);
  }
}
