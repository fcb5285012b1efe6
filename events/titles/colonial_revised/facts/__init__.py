"""What happened, by subject. Every random outcome stands in its fact, die by die."""

from events.titles.colonial_revised.facts.deals import (
    CounterattackRolled as CounterattackRolled,
)
from events.titles.colonial_revised.facts.deals import (
    GoodsAnswersRevealed as GoodsAnswersRevealed,
)
from events.titles.colonial_revised.facts.deals import (
    GoodsMoved as GoodsMoved,
)
from events.titles.colonial_revised.facts.deals import (
    GoodsReachedMarket as GoodsReachedMarket,
)
from events.titles.colonial_revised.facts.deals import (
    GoodsRequestAnswered as GoodsRequestAnswered,
)
from events.titles.colonial_revised.facts.deals import (
    GoodsRequested as GoodsRequested,
)
from events.titles.colonial_revised.facts.deals import (
    GoodsShipped as GoodsShipped,
)
from events.titles.colonial_revised.facts.deals import (
    PrivateersAttacked as PrivateersAttacked,
)
from events.titles.colonial_revised.facts.deals import (
    SellerPaid as SellerPaid,
)
from events.titles.colonial_revised.facts.deals import (
    TradeAnswersRevealed as TradeAnswersRevealed,
)
from events.titles.colonial_revised.facts.deals import (
    TradeRequestAnswered as TradeRequestAnswered,
)
from events.titles.colonial_revised.facts.deals import (
    TradeRequested as TradeRequested,
)
from events.titles.colonial_revised.facts.lands import (
    AdventurersSent as AdventurersSent,
)
from events.titles.colonial_revised.facts.lands import (
    AmericaDiscovered as AmericaDiscovered,
)
from events.titles.colonial_revised.facts.lands import (
    AmericaPenaltyLifted as AmericaPenaltyLifted,
)
from events.titles.colonial_revised.facts.lands import (
    AutomaticRebellionBrokeOut as AutomaticRebellionBrokeOut,
)
from events.titles.colonial_revised.facts.lands import (
    AwardTransferred as AwardTransferred,
)
from events.titles.colonial_revised.facts.lands import (
    BoomingCityFounded as BoomingCityFounded,
)
from events.titles.colonial_revised.facts.lands import (
    CityBecameRelevant as CityBecameRelevant,
)
from events.titles.colonial_revised.facts.lands import (
    ColonyFounded as ColonyFounded,
)
from events.titles.colonial_revised.facts.lands import (
    ColonyLost as ColonyLost,
)
from events.titles.colonial_revised.facts.lands import (
    ControlChanged as ControlChanged,
)
from events.titles.colonial_revised.facts.lands import (
    CountersLost as CountersLost,
)
from events.titles.colonial_revised.facts.lands import (
    CountersProtected as CountersProtected,
)
from events.titles.colonial_revised.facts.lands import (
    CountersRecalled as CountersRecalled,
)
from events.titles.colonial_revised.facts.lands import (
    CountersRemoved as CountersRemoved,
)
from events.titles.colonial_revised.facts.lands import (
    CountersSent as CountersSent,
)
from events.titles.colonial_revised.facts.lands import (
    DiplomacyMoved as DiplomacyMoved,
)
from events.titles.colonial_revised.facts.lands import (
    EmpireAchieved as EmpireAchieved,
)
from events.titles.colonial_revised.facts.lands import (
    ExplorationBought as ExplorationBought,
)
from events.titles.colonial_revised.facts.lands import (
    ExplorationFailed as ExplorationFailed,
)
from events.titles.colonial_revised.facts.lands import (
    ExplorationRolled as ExplorationRolled,
)
from events.titles.colonial_revised.facts.lands import (
    ExplorationSettled as ExplorationSettled,
)
from events.titles.colonial_revised.facts.lands import (
    IndependenceEnded as IndependenceEnded,
)
from events.titles.colonial_revised.facts.lands import (
    LoanRepaid as LoanRepaid,
)
from events.titles.colonial_revised.facts.lands import (
    LoanTaken as LoanTaken,
)
from events.titles.colonial_revised.facts.lands import (
    LossesAllotted as LossesAllotted,
)
from events.titles.colonial_revised.facts.lands import (
    LossesAverted as LossesAverted,
)
from events.titles.colonial_revised.facts.lands import (
    MissionPlaced as MissionPlaced,
)
from events.titles.colonial_revised.facts.lands import (
    MonopolyGained as MonopolyGained,
)
from events.titles.colonial_revised.facts.lands import (
    MonopolyLost as MonopolyLost,
)
from events.titles.colonial_revised.facts.lands import (
    PrestigeChanged as PrestigeChanged,
)
from events.titles.colonial_revised.facts.lands import (
    ProgressAdvanced as ProgressAdvanced,
)
from events.titles.colonial_revised.facts.lands import (
    ProtectionLifted as ProtectionLifted,
)
from events.titles.colonial_revised.facts.lands import (
    RebelEntered as RebelEntered,
)
from events.titles.colonial_revised.facts.lands import (
    RebellionEnded as RebellionEnded,
)
from events.titles.colonial_revised.facts.lands import (
    RebellionPricePaid as RebellionPricePaid,
)
from events.titles.colonial_revised.facts.lands import (
    RebellionRolled as RebellionRolled,
)
from events.titles.colonial_revised.facts.lands import (
    RebelMarked as RebelMarked,
)
from events.titles.colonial_revised.facts.lands import (
    RebelStayedOut as RebelStayedOut,
)
from events.titles.colonial_revised.facts.lands import (
    SlaveryAbolished as SlaveryAbolished,
)
from events.titles.colonial_revised.facts.lands import (
    TerritoryBecameIndependent as TerritoryBecameIndependent,
)
from events.titles.colonial_revised.facts.lands import (
    TerritoryExplored as TerritoryExplored,
)
from events.titles.colonial_revised.facts.lands import (
    TradingPostEstablished as TradingPostEstablished,
)
from events.titles.colonial_revised.facts.lands import (
    UnrestLapsed as UnrestLapsed,
)
from events.titles.colonial_revised.facts.lands import (
    UnrestPlaced as UnrestPlaced,
)
from events.titles.colonial_revised.facts.lands import (
    UnrestRemoved as UnrestRemoved,
)
from events.titles.colonial_revised.facts.parts import (
    Markers as Markers,
)
from events.titles.colonial_revised.facts.parts import (
    SeatCard as SeatCard,
)
from events.titles.colonial_revised.facts.parts import (
    SeatChoice as SeatChoice,
)
from events.titles.colonial_revised.facts.parts import (
    SeatSpaces as SeatSpaces,
)
from events.titles.colonial_revised.facts.parts import (
    SideCounts as SideCounts,
)
from events.titles.colonial_revised.facts.parts import (
    SideFaces as SideFaces,
)
from events.titles.colonial_revised.facts.sequence import (
    ActionCompleted as ActionCompleted,
)
from events.titles.colonial_revised.facts.sequence import (
    ActionPassed as ActionPassed,
)
from events.titles.colonial_revised.facts.sequence import (
    CardPlayed as CardPlayed,
)
from events.titles.colonial_revised.facts.sequence import (
    CardSetAside as CardSetAside,
)
from events.titles.colonial_revised.facts.sequence import (
    DecisionSkipped as DecisionSkipped,
)
from events.titles.colonial_revised.facts.sequence import (
    EndRollMade as EndRollMade,
)
from events.titles.colonial_revised.facts.sequence import (
    GameBegan as GameBegan,
)
from events.titles.colonial_revised.facts.sequence import (
    GameEnded as GameEnded,
)
from events.titles.colonial_revised.facts.sequence import (
    GameWon as GameWon,
)
from events.titles.colonial_revised.facts.sequence import (
    InterestAdded as InterestAdded,
)
from events.titles.colonial_revised.facts.sequence import (
    LoanPenaltyApplied as LoanPenaltyApplied,
)
from events.titles.colonial_revised.facts.sequence import (
    LoansRepaidAtEnd as LoansRepaidAtEnd,
)
from events.titles.colonial_revised.facts.sequence import (
    MaintenancePaid as MaintenancePaid,
)
from events.titles.colonial_revised.facts.sequence import (
    MerchantFleetsBuilt as MerchantFleetsBuilt,
)
from events.titles.colonial_revised.facts.sequence import (
    PhaseBegan as PhaseBegan,
)
from events.titles.colonial_revised.facts.sequence import (
    PlayerOrderDealt as PlayerOrderDealt,
)
from events.titles.colonial_revised.facts.sequence import (
    PlayerOrderSet as PlayerOrderSet,
)
from events.titles.colonial_revised.facts.sequence import (
    PrivateeringCompleted as PrivateeringCompleted,
)
from events.titles.colonial_revised.facts.sequence import (
    PrivateersCommissioned as PrivateersCommissioned,
)
from events.titles.colonial_revised.facts.sequence import (
    RoundBegan as RoundBegan,
)
from events.titles.colonial_revised.facts.sequence import (
    SetAsideCardsRevealed as SetAsideCardsRevealed,
)
from events.titles.colonial_revised.facts.sequence import (
    SquadronsBought as SquadronsBought,
)
from events.titles.colonial_revised.facts.sequence import (
    SquadronsBuilt as SquadronsBuilt,
)
from events.titles.colonial_revised.facts.sequence import (
    TieRolled as TieRolled,
)
from events.titles.colonial_revised.facts.sequence import (
    TreasuryDiscarded as TreasuryDiscarded,
)
from events.titles.colonial_revised.facts.sequence import (
    TurnBegan as TurnBegan,
)
from events.titles.colonial_revised.facts.sequence import (
    TurnEnded as TurnEnded,
)
from events.titles.colonial_revised.facts.sequence import (
    WarBoxIncreased as WarBoxIncreased,
)
from events.titles.colonial_revised.facts.war import (
    AllianceChoicesRevealed as AllianceChoicesRevealed,
)
from events.titles.colonial_revised.facts.war import (
    AllianceChosen as AllianceChosen,
)
from events.titles.colonial_revised.facts.war import (
    AllianceOffered as AllianceOffered,
)
from events.titles.colonial_revised.facts.war import (
    AllianceSumPaid as AllianceSumPaid,
)
from events.titles.colonial_revised.facts.war import (
    AllyAccepted as AllyAccepted,
)
from events.titles.colonial_revised.facts.war import (
    AllyDeclined as AllyDeclined,
)
from events.titles.colonial_revised.facts.war import (
    AllyLeftWar as AllyLeftWar,
)
from events.titles.colonial_revised.facts.war import (
    CountersReturned as CountersReturned,
)
from events.titles.colonial_revised.facts.war import (
    EscalationPartStarted as EscalationPartStarted,
)
from events.titles.colonial_revised.facts.war import (
    EscalationPassed as EscalationPassed,
)
from events.titles.colonial_revised.facts.war import (
    EscalationStarted as EscalationStarted,
)
from events.titles.colonial_revised.facts.war import (
    EscrowReleased as EscrowReleased,
)
from events.titles.colonial_revised.facts.war import (
    ExpeditionBattleFought as ExpeditionBattleFought,
)
from events.titles.colonial_revised.facts.war import (
    ExpeditionDeclined as ExpeditionDeclined,
)
from events.titles.colonial_revised.facts.war import (
    ExpeditionSent as ExpeditionSent,
)
from events.titles.colonial_revised.facts.war import (
    LandBattleFought as LandBattleFought,
)
from events.titles.colonial_revised.facts.war import (
    NavalBattleFought as NavalBattleFought,
)
from events.titles.colonial_revised.facts.war import (
    PrivateerWarRoundFought as PrivateerWarRoundFought,
)
from events.titles.colonial_revised.facts.war import (
    WarBoxTaken as WarBoxTaken,
)
from events.titles.colonial_revised.facts.war import (
    WarContinued as WarContinued,
)
from events.titles.colonial_revised.facts.war import (
    WarDeclared as WarDeclared,
)
from events.titles.colonial_revised.facts.war import (
    WarEnded as WarEnded,
)
from events.titles.colonial_revised.facts.war import (
    WarSurrendered as WarSurrendered,
)
from events.titles.colonial_revised.facts.war import (
    WarYearBegan as WarYearBegan,
)
from events.titles.colonial_revised.facts.war import (
    YearOfWarEnded as YearOfWarEnded,
)
